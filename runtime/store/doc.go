// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package store is a generic, thread-safe store of objects with typed indexes: the
// counterpart of client-go's Store, Indexer and ThreadSafeStore.
//
//	s := store.ForObjects[*v1.Device]()
//	bySite := store.AddIndex(s, "Site", func(dst []string, d *v1.Device) []string {
//		return append(dst, d.Spec.Site)
//	})
//	err := s.Set(device)
//	for d := range bySite.Get(s.Reader(), "berlin") { … }
//
// A [Store] is the write side and a [Reader] the read side, live or frozen. A [Batch] is a
// set of writes by hand that readers see all of or none of. A [Feeder] applies the batches of a source, as
// an informer does. An [Index] is a typed handle: values keep their Go type, and no index is looked up by
// name.
//
// # Indexes and queries
//
//	AddIndex      equality; one or several values an object; V may be a struct
//	AddUnique     one object expected for each value; conflicts are counted
//	AddOrdered    also ranges, minimum and maximum
//	AddLabels     all labels; Matching answers label selectors from it
//	AddNamespaces the namespaces, shared by all listers of a store
//
// [AllOf], [AnyOf] and [Query.Except] combine queries over any indexes. [Index.Values] and
// [Index.Count] visit no objects. [Index.Watch] yields a snapshot when an answer may have
// changed.
//
// # Contract
//
// A sequence ranges over a snapshot taken when the loop begins. No lock is held while the
// body runs: it may read, write or wait. [Reader.Snapshot] returns a frozen reader over
// the objects and all indexes, in constant time. Readers wait for nobody.
//
// Objects are shared and must not be changed while they are in the store.
// Package mutation finds such changes in tests.
//
// Index functions run while other writers wait. They must be pure. One that panics is
// reported to [WithErrorHandler]; the object is stored, without values in that index. A
// function that is impure, or an object that was changed, may be found when the object is written
// again; it is then reported as [ErrImpure], and the index is repaired. Other mistakes fail loudly:
// after a callback that called runtime.Goexit the next write panics, and so does a write that
// deletes an object whose key was changed.
//
// # How it works
//
// Objects live in numbered slots of a persistent vector. Hash tries map keys and index values
// to slots. Under each index value is a posting, a sorted list of slots. An ordered index has a
// B+ tree in place of the trie.
//
// A version is the root of all these structures, and of the positions in the parts
// of the source (resourceVersions). A published version never changes. A Reader holds the Store and loads its
// current version at each read, from an atomic pointer. Snapshot does this load once and keeps
// the version. A loop also keeps it until it ends, except one of [Index.Get] over at
// most 64 objects, which copies them. The garbage collector frees a version that nobody holds.
//
// Every write goes through publish, one at a time (apply.go): Set, Delete and Apply, but also
// AddIndex and AddParts. It copies the root and numbers it; that number is the owner of the nodes that
// this write makes. It changes these nodes in place, and copies all others first. A Replace first deletes
// the objects that it lacks. Then applyDelta does the writes of the batch one by one:
//
//	compare  with the object that the key has: an unchanged one stays
//	holders  updates which parts (feeder.go) have the object; keeps it if another part still has it, or
//	         has sent a newer state
//	stage    calls the index functions, and finds out which indexes change (internal/index/write.go)
//	commit   changes the table and these indexes
//
// Then publish stores the pointer and fires watches. After it unlocks, the same goroutine fires waits and
// reports errors in wakeAndReport. Halt fires waits too.
//
// A delete empties the slot in its version, and puts the number on the free list at once,
// for any later write: older versions keep their own copies of the nodes that changed. Each
// deleted object leaves some 25 bytes, until its slot is used again or the store is empty. An update
// that changes no index value writes one slot and allocates 0.7 to 0.9 KB. If the source has
// parts, the batch also copies a page of 16 pointers to positions, and the list of pages.
//
// Each slot has a fingerprint of its index values, 64 bits from two hashes with random seeds. If
// the fingerprint of the new object is equal, no index is visited. Otherwise Stage finds the indexes
// whose values change, and commit visits only these. If nothing adds up, a function is impure: all
// indexes remove the slot from all postings that have it, insert it under the new values, and those that
// had it elsewhere report [ErrImpure]. So an
// impure function goes unnoticed while the fingerprint stays the same or other indexes explain
// the change. Two fingerprints agree by chance once in 2^64 updates: the object then stays under
// its old values for a while.
//
// The packages below internal have one concept each: table (slots, keys, look-up) and index
// (postings of values; its write.go is its part in a write) over trie,
// btree and posting; parts (of the source: positions, and which objects they have); query (sets of
// slots, runs of objects); notify (lists of waits and watches).
//
// # Why
//
// Keys are looked up one after the other. Looking up 16 at a time, so that cache misses overlap, saved a
// third of a Replace, which follows a decoding that takes ten times as long. Sequences read runs of up to
// 64 objects, All of 32, so that the loop body can be inlined.
// ForObjects compares keys in the objects, so that they take no memory; New stores them. The price
// is Get, which reads the object: it is about as fast as client-go's for objects outside the
// processor's cache. hack/bench measures all of this; docs/performance.md has the figures.
//
// docs/from-client-go.md in the repository lists the counterparts of client-go's stores.
package store
