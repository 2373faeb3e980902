// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package store is the generic, thread-safe store of objects and the indexes
// over them: what client-go calls Store, Indexer and ThreadSafeStore.
//
//	s := store.ForObjects[*v1.Device]()
//	bySite := store.AddIndex(s, "Site", func(dst []string, d *v1.Device) []string {
//		return append(dst, d.Spec.Site)
//	})
//	err := s.Set(device)
//	for d := range bySite.Get(s.Reader(), "berlin") { … }
//
// # Writes and reads
//
// A [Store] is the write side, a [Reader] the read side, live or frozen. A
// [Batch] is a set of writes that readers see all of or none of. An [Index]
// is a typed handle: values keep their Go type, and nothing is looked up by
// name or cast. Emitted listers hold these handles and name the queries.
//
// # Kinds of index
//
//	AddIndex    equality, one or several values an object; V may be a struct
//	AddUnique   one object a value: Get, all of them, conflicts counted
//	AddOrdered  also by stretches of values, from either end, and in pages;
//	            AddUniqueOrdered is both
//	AddLabels   all labels; label selectors are answered from it (Matching)
//	AddNamespaces is AddIndex for the namespaces, once for all listers of a store
//
// Their answers combine: [AllOf], [AnyOf] and [Query.Except] over any of them.
// [Index.Values] and Count say what an index holds without visiting objects.
// [Index.Watch] yields a snapshot whenever an answer may have changed.
//
// # What a reader may count on
//
// A sequence shows the store as it was when ranging began, and the body of the
// loop runs under no lock: it may read, write or wait. [Reader.Snapshot] gives
// that view a name, over the objects and all indexes, at the same cost for any
// size of store. A reader waits at most for one write to be published, never
// for an index function.
//
// # How it works
//
// Objects live in numbered slots of a chunked vector. The keys, and the values
// of each index, are in hash tries that hold slot numbers; under an index
// value is a sorted list of slots. So an index costs 4 bytes and a share of a
// bucket for each entry, and an update that changes no index value writes one
// slot and nothing else.
//
// One version is the root of all this, and each of its nodes has an owner. A
// write changes nodes of the current owner in place. A reader that loops, or asks for a
// snapshot, takes the version: the next write then becomes a new owner, to which every
// node is frozen, and copies those on its way, about 1 KiB. Reads of one object, of up to
// 64 under a value, and of counts take no version. Nothing is counted or released:
// versions that nobody holds are the garbage collector's. This is the transient of
// persistent vectors (Hickey's, after Bagwell's tries), frozen by the reader.
//
// A write computes its index values first, and closes a gate only for the change
// itself. One that has to copy, and a batch, is done on a private version, which one
// assignment publishes. A batch of updates all over the store would copy a chunk for
// each: up to 1,000 of its objects are exchanged in place instead, behind the closed gate,
// in chunks that no reader has taken. A live read passes the gate for the few loads that
// tell which objects it is about; it compares keys, and hands objects out, outside.
//
// A store that most objects have left moves the others together (shrink.go), so that it
// takes no more memory than one that never had more.
//
// # The numbers that decided
//
// 100,000 Pods with four indexes, as ratios to client-go 0.37.2 in the same run:
// hack/bench has the command, all figures, and where the limits are. The ratios
// before and after are of successive states, which differed in more than the
// choice that is named, and were measured on a shared machine.
//
//   - A mark for each slot, 64 bits that sum up its index values, in place of
//     looking the slot up in each index: an update that moves nothing from 0.9×
//     to 2.0×, for 4 more bytes an object. See below for what marks cannot tell.
//   - Sequences loop over runs of 64 objects instead of being called for each:
//     200 hits from 5.0× to 7.7×; all objects, touched, from 3.4 times what a
//     plain slice of the same pointers takes to the same.
//   - Up to 64 hits are copied at the gate, so that reading a small bucket does
//     not make the next write copy anything; and the gate spins where a RWMutex
//     parks: writes beside a reader that never stops from 1.4× to 5.7×.
//   - Replace looks 16 keys up at once: from 3.0× to 5.0×; and so it does the index
//     values of new objects: from 5.0× to 6×. That a batch of updates does it too took its
//     updates from 1.28 µs to 1.12 µs each, from the event to the handler.
//   - Postings of new objects grow as append has it and are trimmed at the end of a
//     Replace, in place of growing by an eighth: a first list from 1.50 µs to 1.26 µs an
//     object, from the list to the handler.
//   - A batch exchanges objects in place: its updates from 2.3 µs to 1.8 µs each, from
//     the event to the handler, and from one allocation to none.
//   - Postings of 4 bytes an entry, buckets of 64 bytes and no keys at all: 57
//     bytes an object, where client-go has 238. The price is Get, which reads the
//     key in the object to be sure: no faster than client-go for objects that
//     no cache has, 2.5 times for those that one has.
//
// # Index functions
//
// They run while other writers wait, and nobody else. One that panics is
// contained and reported ([WithErrorHandler]); the object is stored, for a mirror
// does not reject reality. An update asks them about the new object, and about
// the old one only if the mark has changed, until what moved makes up the
// difference. If nothing does, a function is impure or a cached object was
// written to: that is reported as [ErrImpure], and the slot taken out from
// wherever it is; no stale entry outlives its object. If the order
// of an ordered index calls two different values equal, that is reported too, and the
// object is not found under the second.
//
// Marks are 64 bits, made of two hashes under secret random seeds. That they
// agree though the values do not is not to be brought about from outside, but
// happens by chance, once in 2^64 updates: then the object stays under its old
// values until it leaves the new ones, or is deleted; that is when the mistake is
// found, reported as ErrImpure, and put right. To be certain an update would have
// to ask about the old object each time, which made it 1.9 times as slow, and a
// Replace three times. Keys are never taken for equal because their hashes are: an
// object would be lost. Looking at them takes a quarter to a half of an update's
// time in a large store.
//
// Other mistakes of callbacks and callers are not contained. A callback that calls
// runtime.Goexit makes the next write panic. An object of [ForObjects] that was renamed
// while it was in the store makes the next Replace panic.
//
// [WithMutationDetector] finds writes to cached objects sooner, in tests.
//
// docs/client-go.md in the repository lists the counterparts of client-go's stores.
package store
