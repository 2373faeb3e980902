// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package controller runs a process function on the changes of a source: reflector → queue →
// function. It has no store and no handlers. Use it if you keep the state in a form of your
// own; otherwise use package informer.
//
// The queue decides what the function gets. With a queue.InOrder it gets batches in order of
// arrival; with a fifo.DeltaFIFO it gets one object at a time with its deltas. The queue
// belongs to the caller, who may also write to it, for example to resync. Give the queue a
// queue.KnownObjects to detect objects that were deleted while no watch was running.
package controller
