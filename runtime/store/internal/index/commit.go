// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package index

import (
	"errors"
	"slices"

	"github.com/indexer-gen/indexer-gen/runtime/store/internal/notify"
	"github.com/indexer-gen/indexer-gen/runtime/store/internal/posting"
)

// ErrImpure is reported if an object is not indexed under the values that the function returns.
var ErrImpure = errors.New("the values of an object in the store have changed: " +
	"the index function is impure, or a cached object was changed")

// errInterface is reported if index values contain interfaces.
var errInterface = errors.New("index values must not be or contain interfaces: " +
	"return values of one comparable type")

// errOrder is reported if the order of an index returns 0 for different values.
var errOrder = errors.New("the order of the index returns 0 for two different values; " +
	"the object is not indexed under the second: compare the whole value")

// Commit implements Writer.
func (x *Index[T, V]) Commit(v *Versions, owner uint64, slot uint32, trusted bool) {
	b := x.own(v, owner)
	oldSet, newSet := setOf(x.oldValues.values), setOf(x.newValues.values)
	for i, value := range x.oldValues.values {
		if trusted && !newSet.has(value) {
			hash := x.oldValues.hashes[i]
			trusted = b.remove(hash, b.Find(hash, value), slot)
		}
	}
	if !trusted {
		if !x.purge(b, slot) && !x.disordered {
			x.Report(ErrImpure)
		}
		oldSet = valueSet[V]{} // purge has removed the slot everywhere
	}
	b.multi = b.multi || len(x.newValues.values) > 1
	for i, value := range x.newValues.values {
		if !oldSet.has(value) && !b.add(x.newValues.hashes[i], value, slot) {
			x.Report(errOrder)
			x.disordered = true
		}
	}
}

// purge removes slot from every bucket that has it, and reports whether those buckets were exactly the
// ones of the old values. It repairs the index after the function was found impure. It visits every
// bucket.
func (x *Index[T, V]) purge(b *Buckets[V], slot uint32) (matches bool) {
	var buckets []*posting.Bucket[V]
	b.Each(func(e *posting.Bucket[V]) bool {
		if e.Posting.Has(slot) {
			buckets = append(buckets, e)
		}
		return true
	})
	matches = len(buckets) == len(x.oldValues.values)
	if x.Watch.Watched() {
		// The store has noted the watchers of the values that were computed for the old object. The
		// index may hold it under others, so note their watchers too.
		x.Watch.Note(func(fire func(*notify.Signal)) {
			for _, e := range buckets {
				x.Watchers.Each([]V{e.Value}, fire)
			}
		})
	}
	for _, e := range buckets {
		matches = matches && slices.Contains(x.oldValues.values, e.Value)
		b.remove(x.Hash(e.Value), e, slot)
	}
	return matches
}
