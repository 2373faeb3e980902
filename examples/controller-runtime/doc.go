// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Command controller-runtime runs a controller of controller-runtime's that reads
// through emitted listers and indexes instead of the manager's cache:
//
//	go run ./examples/controller-runtime
//
// It keeps, in an annotation of each Site, how many of the devices there are offline.
// Which site a change concerns, and which devices stand there, it asks of indexes.
//
// What it takes is three things, each in a file of its own, to be copied:
//
//   - running.go: the informers run as long as the manager does, on every replica and
//     not only on the leader, so that a new leader has what it needs at once.
//   - source.go: a source that fills the controller's work queue from an informer, and
//     has the controller wait until the informer has synced and all that existed is in
//     the queue, before it reconciles anything.
//   - controller.go: the reconciler, with two such sources, which reads nothing but
//     listers, and writes by the manager's client.
//
// It is a separate module, so that only it depends on controller-runtime.
package main
