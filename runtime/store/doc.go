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
// set of writes that readers see all of or none of. An [Index] is a typed handle: values
// keep their Go type, and no index is looked up by name. A [Feeder] is the informer's side.
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
// [WithMutationDetector] finds such changes in tests.
//
// Index functions run while other writers wait. They must be pure. One that panics is
// reported to [WithErrorHandler]; the object is stored, without values in that index. A
// function that is impure, or an object that was changed, is reported as [ErrImpure], and
// the index is repaired. Other mistakes fail loudly: after a callback that called
// runtime.Goexit the next write panics, and so does a Replace that finds a renamed object.
//
// # How it works
//
// Objects live in numbered slots of a chunked vector. Hash tries map keys and index values
// to slot numbers; under each index value is a posting, a sorted list of slots. An ordered
// index has a B+ tree in place of the trie. An update that changes no index value writes
// one slot and nothing else: it allocates about 800 bytes.
//
// A version is the root of all these structures. A published version never changes. A read
// loads the current version from an atomic pointer, so every read is a snapshot. A batch
// begins with a copy of the root, copies each node that it changes once, and publishes the
// result by storing the pointer. Versions that no reader holds are garbage collected. A loop
// over at most 64 objects of one value copies them and does not hold the version.
//
// # Why
//
// Each slot has a fingerprint of its index values, 64 bits from two hashes with random
// seeds. An update asks the index functions about the new object only; it asks about the
// old one if the fingerprints differ. This doubles the speed of updates that move nothing.
// Two fingerprints agree by chance once in 2^64 updates: the object then stays under its
// old values until a later write finds the mistake and repairs it.
//
// Batches look up 16 keys at a time, so that cache misses overlap. Sequences hand out runs of
// 64 objects, so that the loop body can be inlined.
//
// Keys are compared in the objects and take no memory. The price is Get, which reads the
// object: it is about as fast as client-go's for objects outside the processor's cache.
// hack/bench measures all of this; docs/performance.md has the figures.
//
// docs/from-client-go.md in the repository lists the counterparts of client-go's stores.
package store
