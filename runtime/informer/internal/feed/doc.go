// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package feed brings the changes of one source into the store of an informer and to its hub:
// reflector → queue → store → hub.
//
// A [Feed] reads its source in one run of the informer, on two goroutines. The reflector pushes what it
// reads; the other goroutine takes it from the queue in batches. A change that comes alone does not wait
// in the queue: the goroutine that reads it applies it.
//
// A batch is applied in the hub's turn. It is converted to a batch of the store and written at once. The
// changes that the store returns are those that handlers get: one struct, store.Change, which the inboxes
// own from then on. A queue.Delta is another struct, since it is what a source says: it has a key, but no
// old state, and may repeat what is known.
//
// An object that a list or watch repeats unchanged is not a change. accessor.Unchanged decides that in two
// places: as an item of a list arrives, so that no list holds all objects twice (package reflector), and
// in the store, right before an object would be replaced. There the old object is at hand, in the state
// after the earlier writes of the batch. To look it up before the write would cost a second search for
// each event.
package feed
