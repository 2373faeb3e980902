// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package feed brings the changes of one source into the store of an informer and to its hub:
// reflector → queue → store → hub.
//
// A [Feed] reads its source in one run of the informer, on two goroutines. The reflector pushes what it
// reads; the other goroutine takes it from the queue in batches. A change that comes alone does not wait
// in the queue: the goroutine that reads it applies it.
//
// # Where a change passes
//
//	source.Event   what a watch sends      reflector: watch, apply, entryOf
//	queue.Delta    one object and its key  Feed.Push, and queue.InOrder in a burst
//	store.Batch    all writes of a batch   Feed.apply, fill; in the store: stage, commit
//	store.Change   old and new state       divided; hub.Hub.distribute, an inbox, hub.Listener.drain
//	the call       for a Handler           calls in package informer
//
// An object that was deleted while no watch ran is missing from the next list, a LIST or a WatchList. The
// reflector passes the list to queue.InOrder.Replace, which here has no KnownObjects and so does not
// notice. Feed.fill makes a Replace of the store of it, and Store.replaceAll deletes the objects that the
// list lacks. The Change has the Cause FinalStateUnknown, and so has the Tombstone of OnDelete.
//
// Two structs for one object, and two for many, pass between packages. A Delta is what a source says: it
// has a key, but no old state, and may repeat what is known. A Change is what the store did: inboxes own the slice of a
// batch together, so it has neither key nor other fields that a handler does not get. A queue.Batch is a
// part of a source, which may be a whole list; a store.Batch holds writes, of which the store computes the
// changes.
//
// # What is unchanged
//
// An object that a list or watch repeats unchanged is not a change. accessor.Unchanged decides that in two
// places: as an item of a list arrives, so that no list holds all objects twice (package reflector), and
// in the store, right before an object would be replaced. There the old object is at hand, in the state
// after the earlier writes of the batch. To look it up before the write would cost a second search for
// each event.
package feed
