// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package runtime marks the generations of emitted code that this module
// understands. The parts themselves are packages below it, in the order in
// which an object travels:
//
//	source     what lists and watches: any typed client by shape
//	wire       a source of our own, over net/http
//	reflector  list, then watch, then list again when it must
//	queue      FIFO and DeltaFIFO, between the reflector and the store
//	store      the generic, thread-safe store with its typed indexes
//	lister     reads by namespace, name and label selector
//	informer   the loop around them all, handlers, and the factory
//	runtimetest  a scripted source for tests
//
// The module needs k8s.io/apimachinery and nothing of client-go, so that a
// project which imports it keeps its own versions of everything else.
package runtime
