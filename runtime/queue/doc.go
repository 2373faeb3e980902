// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package queue is for programs that write objects to a place of their own, such as a database, in place of a store. It
// has the queues of client-go, and a loop over them. Informers do not use it. Program examples/mirror writes files.
//
//	DeltaFIFO   one object at a time, with all its deltas since the last time
//	FIFO        one object at a time, with its newest state only
//	Controller  source → reflector → DeltaFIFO → a function of yours, without a store or handlers
//
// A [DeltaFIFO] is for loops that want intermediate states but not the order of the source. Writes never
// wait, so the deltas of an object accumulate until it is popped.
//
// # Order
//
// Objects come in the order of their first pending delta, and not in the order of the source. So no
// resourceVersion describes what has been processed, and a DeltaFIFO has none.
//
// # Lists
//
// A DeltaFIFO compares a complete list (Replace) with the objects in [KnownObjects], usually a store, and with
// the deltas that are pending or being processed. An object that is missing from the list gets a Deleted with
// FinalStateUnknown, before the objects of the list. Without KnownObjects, an object that was processed and is
// missing from a list gets no Deleted; a Deleted from the source always arrives. Give a [Controller]'s queue
// KnownObjects to detect objects that were deleted while no watch was running.
//
// A Controller reads no source with parts, such as namespaces or shards: its Run panics. Run one Controller for each
// namespace, or for each shard with a source of shard.Only.
//
// # Processing
//
// Pop calls a process function, and the object counts as processed when that returns. If it
// returns [ErrRequeue] or panics, the object is queued again. Only one process function runs at
// a time. KnownObjects and process functions run under no lock. Waits end with their context. Close ends the waits for
// something to process. A Pop that waits for another Pop goes on, because that one may put its object back.
package queue
