// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package queue holds changes between a source and a consumer. It is generic over keys and objects and
// knows neither servers nor stores. Package delta has the changes; package fifo has queues that return
// one object at a time.
//
// A batch of an [InOrder] says how far the source has been read: nothing older is pending. A
// consumer that applies each batch at once therefore has a state of the source, at a known
// resourceVersion. A queue that reorders objects has no such version.
//
// The queue is bounded: a write waits while two full batches are pending, one to be popped
// next and one to be filled. A list is one batch of any length and takes the room of a full
// one.
//
// # Lists
//
// When a complete list (Replace) is popped, everything before it has been processed. The queue then
// compares it with the objects in [KnownObjects], usually a store. An object that is missing from the
// list gets a Deleted with FinalStateUnknown, before the objects of the list. Without KnownObjects, as in
// an informer, whose store compares, the queue compares with the pending deltas only. An object that was
// processed and is missing from a list then gets no Deleted; a Deleted from the source always arrives.
// store.Feeder applies a batch with its Replace, and the store then deletes what the list lacks. Package
// reflector has an example.
//
// # Processing
//
// Pop calls a process function, and the change counts as processed when that returns. If it
// returns [ErrRequeue] or panics, the change is queued again. Only one process function runs at
// a time. KnownObjects and process functions run under no lock. Waits end with their context, and all
// waits end with Close.
package queue
