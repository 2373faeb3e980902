// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Command controller-runtime runs a controller in a manager of controller-runtime that reads through emitted
// listers:
//
//	go run ./examples/controller-runtime
//
// The controller keeps the number of offline Devices in an annotation of each Site. controller.go adds it to a
// manager in two ways. The reconciler is the same:
//
//   - addToCache reads the objects of the manager's cache, which is from ctrlruntime.NewCache. Prefer this: all
//     controllers of the manager share one watch and one copy of the objects.
//   - addInformers runs informers beside the manager's cache. Use it for types that nothing else in the manager
//     reads, or with transforms, slim types or changing namespaces.
//
// docs/from-controller-runtime.md describes both.
//
// The example is a separate module, so that only it depends on controller-runtime.
package main
