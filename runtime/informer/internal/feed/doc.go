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
//	source.Event   what a watch sends       reflector/watch.go: watch, pass; delta.go: deltaOf
//	delta.Delta    one object and its key   feed.go: Push; then apply, write
//	               in a store.Batch         store/batch.go: Write; write.go: Apply, applyTo; put.go: put
//	store.Change   old and new state        hub/hub.go: distribute; inbox/lossless.go: Put, Next
//	the call       for a Handler            hub/calls.go: drain; informer/handler.go: callOf
//
// In a burst, Push leaves the Delta to the queue, queue/inorder.go, and Start takes batches from there. A
// handler WithCoalescing has an inbox of coalescing.go.
//
// A Delta comes from a source: it has a key, but no old state, and may repeat a known state. A Change comes
// from the store. Inboxes own the slice of a batch together, so a Change has neither a key nor other fields
// that a handler does not get. Both have a delta.Type.
//
// # A deletion that no watch saw
//
// An object that was deleted while no watch ran is missing from the next list.
//
//	the watch fails  reflector/watch.go: ended; next.go: next, with classify.go, says what follows
//	a list           reflector/watchlist.go: watchList, or list.go: list; delta.go: deltaOf for each object
//	all its deltas   partiallist.go; reflector.go: replace; then queue/inorder.go: Replace
//	one batch        feed.go: Start, which calls Pop; apply, write
//	the deletion     store/write.go: applyTo; replace.go: beginReplace; put.go: commit, record
//	the call         as above
//
// The queue of a feed has no KnownObjects, so it notices only pending objects that the list lacks.
// Store.beginReplace deletes what the batch of a list does not write. The Change has the Cause
// FinalStateUnknown, and the Tombstone of OnDelete has FinalStateUnknown set.
//
// # What is unchanged
//
// An object that a list or watch repeats unchanged is not a change. accessor.Unchanged decides that in two
// places: as an item of a list arrives, so that no list holds all objects twice (package reflector), and
// in the store (CompareObjects), right before an object would be replaced. There the old object is at hand,
// in the state after the earlier writes of the batch. To look it up before the write would cost a second
// search for each event. CompareObjects also compares UIDs: an object that was recreated makes two changes,
// a deletion and an addition.
package feed
