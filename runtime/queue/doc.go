// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package queue holds changes between a source and a consumer. It has three queues, which are
// generic over keys and objects and know neither servers nor stores.
//
//	InOrder    batches of deltas, in order of arrival; informers use it
//	DeltaFIFO  one object at a time, with all its deltas since the last time
//	FIFO       one object at a time, with its newest state only
//
// Package delta has the changes: [delta.Delta] and [delta.Batch].
//
// # InOrder
//
// A batch of an [InOrder] says how far the source has been read: nothing older is pending. A
// consumer that applies each batch at once therefore has a state of the source, at a known
// resourceVersion. A queue that reorders objects has no such version.
//
// The queue is bounded: a write waits while two full batches are pending, one to be popped
// next and one to be filled. A list is one batch of any length and takes the room of a full
// one.
//
// # DeltaFIFO
//
// A [DeltaFIFO] is the classic queue of client-go, for loops that want intermediate states but
// not the order of the source. Writes never wait.
//
// # Lists
//
// Both queues of deltas compare a complete list (Replace) with the objects in [KnownObjects],
// usually a store. An object that is missing from the list gets a Deleted with
// FinalStateUnknown. Deletions come before the objects of the list. An InOrder compares when
// the list is popped: then everything before it has been processed. A DeltaFIFO compares when
// the list is written, and takes deltas that are being processed into account. Without
// KnownObjects, as in an informer, whose store compares, both compare with the pending deltas
// only. An object that was processed and is missing from a list then gets no Deleted; a
// Deleted from the source always arrives. store.Batch.Write takes a batch with its Replace, so that the
// store deletes what the list lacks: package reflector has an example.
//
// # Common to all queues
//
// Pop calls a process function, and the change counts as processed when that returns. If it
// returns [ErrRequeue] or panics, the change is queued again. Only one process function runs at
// a time. Key functions, transforms, KnownObjects and process functions run under no lock. Waits end
// with their context, and all waits end with Close.
//
// [ObjectKey] is the key function of Kubernetes objects. A delta carries its key, so that
// tombstones and undecodable objects have one, too.
package queue
