// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package index has the indexes of a store: an Index to write, and for each version of it Buckets
// to read.
package index

import (
	"hash/maphash"
	"reflect"
	"slices"

	"github.com/indexer-gen/indexer-gen/runtime/store/internal/notify"
)

// Writer is an Index whose values may have any type.
type Writer[T any] interface {
	// StageNew computes the values of the new object, nil for none, and returns their
	// fingerprint. A panic of the function is reported, and the object then has no values.
	StageNew(obj *T) (fingerprint uint64)
	// StageOld computes the values of the old object, and returns the difference of the
	// fingerprints. If the function panics there are no old values, and nothing is reported: usually
	// it panicked when the object was stored, and was reported then.
	StageOld(obj *T) (difference uint64)
	// Commit moves the slot from the old values, of a new object none, to the new ones. If the old
	// values are not trusted, it searches all buckets for the slot.
	Commit(v *Versions, owner uint64, slot uint32, trusted bool)
	// Note calls fire with the watchers of the staged values.
	Note(fire func(*notify.Signal))
}

// Versions has the version of each index of a store, by Index.ID.
type Versions struct {
	owner   uint64
	buckets []any // *Buckets of different types
}

// Len returns the number of indexes.
func (v *Versions) Len() int { return len(v.buckets) }

// Sizes yields the text of each value of the index with the ID, and its number of objects.
func (v *Versions) Sizes(id int) func(yield func(value string, objects int) bool) {
	return v.buckets[id].(interface{ Sizes(func(string, int) bool) }).Sizes
}

// Index is the write side of an index. All its fields that change are guarded by the lock of
// writers.
type Index[T any, V comparable] struct {
	ID    int
	Name  string
	Fn    func(dst []V, obj T) []V
	Order func(a, b V) int // nil: the index is not ordered

	// Watch is the list of watches of the store. It also identifies the store.
	Watch    *notify.List
	Watchers notify.ByValue[V]
	// Report reports an error of the staged object.
	Report func(error)

	hashSeed        maphash.Seed // of the store
	fingerprintSeed maphash.Seed // of fingerprints

	// The staged write:
	newValues      hashedValues[V] // of the new object
	oldValues      hashedValues[V] // of the old one
	newFingerprint uint64          // of newValues

	orderContradicted bool // the order has returned 0 for different values
}

// Add adds an empty version of x to v. Values are hashed with seed.
func (x *Index[T, V]) Add(v *Versions, owner uint64, seed maphash.Seed) {
	x.hashSeed, x.fingerprintSeed = seed, maphash.MakeSeed()
	if hasInterface(reflect.TypeFor[V]()) {
		x.Fn = func([]V, T) []V { panic(errInterface) } //nolint:forbidigo // is reported
	}
	x.ID = len(v.buckets)
	v.buckets, v.owner = append(slices.Clip(v.buckets), newBuckets(owner, seed, x.Order)), owner
}

// Hash returns the hash of a value.
func (x *Index[T, V]) Hash(value V) uint64 { return maphash.Comparable(x.hashSeed, value) }

// In returns the version of the index in v, which has it.
func (x *Index[T, V]) In(v *Versions) *Buckets[V] { return v.buckets[x.ID].(*Buckets[V]) }

// mutableBuckets returns the version of the index in v, for owner to change.
func (x *Index[T, V]) mutableBuckets(v *Versions, owner uint64) *Buckets[V] {
	if v.owner != owner {
		v.buckets, v.owner = slices.Clone(v.buckets), owner
	}
	b := x.In(v).mutable(owner)
	v.buckets[x.ID] = b
	return b
}

// Build returns a version of the index with the objects that each yields.
func (x *Index[T, V]) Build(each func(yield func(slot uint32, obj T) bool)) *Buckets[V] {
	b := newBuckets(0, x.hashSeed, x.Order)
	var q hashedValues[V]
	each(func(slot uint32, obj T) bool {
		_ = x.computeValues(&q, obj) // reported when the object was stored
		for i, value := range q.values {
			b.addSlotIfOrderConsistent(q.hashes[i], value, slot)
			b.everMultiValued = b.everMultiValued || i > 0
		}
		return true
	})
	return b
}

// ValuesOf returns the values of obj; none if the function panics.
func (x *Index[T, V]) ValuesOf(obj T) []V {
	var q hashedValues[V]
	_ = x.computeValues(&q, obj)
	return q.values
}

// Has reports whether obj, which is in slot, is in b under one of its values that accept accepts.
func (x *Index[T, V]) Has(b *Buckets[V], slot uint32, obj T, accept func(V) bool) bool {
	var q hashedValues[V]
	_ = x.computeValues(&q, obj)
	for i, value := range q.values {
		if accept(value) {
			if e := b.Find(q.hashes[i], value); e != nil && e.Posting.Has(slot) {
				return true
			}
		}
	}
	return false
}

// Note implements Writer.
func (x *Index[T, V]) Note(fire func(*notify.Signal)) {
	x.Watchers.Each(x.oldValues.values, fire)
	x.Watchers.Each(x.newValues.values, fire)
}

// hasInterface reports whether t, a comparable type, is an interface or contains one.
func hasInterface(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Interface:
		return true
	case reflect.Array:
		return hasInterface(t.Elem())
	case reflect.Struct:
		for i := range t.NumField() {
			if hasInterface(t.Field(i).Type) {
				return true
			}
		}
	}
	return false
}
