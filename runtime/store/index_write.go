// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package store

import (
	"fmt"
	"hash/maphash"
	"reflect"
	"slices"

	"github.com/indexer-gen/indexer-gen/runtime/store/internal/buckets"
	"github.com/indexer-gen/indexer-gen/runtime/store/internal/extract"
	"github.com/indexer-gen/indexer-gen/runtime/store/internal/notify"
	"github.com/indexer-gen/indexer-gen/runtime/store/internal/posting"
	"github.com/indexer-gen/indexer-gen/runtime/store/internal/slots"
)

// indexer is the part of an index that writes use.
type indexer[K comparable, T any] interface {
	// stageNew computes the values of the new object, nil for none, and returns their
	// fingerprint. It may panic. No reader waits for it.
	stageNew(obj *T) (fingerprint uint64)
	// prefetch computes the values of the objects that are written next, nil for none. It may
	// panic. stagePrefetched is stageNew for the i-th of them.
	prefetch(objs []*T)
	stagePrefetched(i int) (fingerprint uint64)
	// failNew stages no values and reports err, the panic of stageNew.
	failNew(key K, err error)
	// stageOld computes the values of the old object, and returns the difference of the fingerprints. If
	// it was not called for an existing object, commit leaves this index as it is. If the function
	// panics there are no old values; the panic was reported when the object was stored.
	stageOld(obj *T) (difference uint64)
	// commit moves the slot from the old values to the new ones. Readers may wait for it. If
	// the old values are not trusted, it searches all buckets for the slot.
	commit(v *version[K, T], key K, slot uint32, had, trusted bool)
	// insertDeferred does the insertions that commit has deferred.
	insertDeferred(v *version[K, T])
	// trim releases the spare room that insertDeferred has left.
	trim(v *version[K, T])
	// note calls fire with the watchers of the staged values.
	note(fire func(*notify.Signal))
	// renumber moves each slot to the one in to.
	renumber(v *version[K, T], to []uint32)
}

// index is the write side of an index. Readers use buckets. All fields that change are guarded
// by Store.write.
type index[K comparable, T any, V comparable] struct {
	store *Store[K, T]
	id    int
	name  string
	fn    func(dst []V, obj T) []V
	order func(a, b V) int // nil: the index is not ordered
	seed  maphash.Seed     // of fingerprints

	labels bool // selectors use this index

	// The staged write:
	newValues      extract.Result[V] // of the new object
	oldValues      extract.Result[V] // of the old one
	oldKnown       bool              // oldValues is set
	newFingerprint uint64            // of newValues
	prefetched     prefetched[V]     // of the next objects

	deferred []insertion[V] // fewer than prefetchSize
	pushed   bool           // some postings have too much spare room

	disordered bool // the order has returned 0 for different values

	watchers notify.ByValue[V]
}

func (x *index[K, T, V]) hash(value V) uint64 { return maphash.Comparable(x.store.seed, value) }

// in returns the buckets of the index in v.
func (x *index[K, T, V]) in(v *version[K, T]) *buckets.Buckets[V] {
	return v.indexes[x.id].(*buckets.Buckets[V])
}

// own returns the buckets of the index for the owner of v to change.
func (x *index[K, T, V]) own(v *version[K, T]) *buckets.Buckets[V] {
	if v.indexesOf != v.owner {
		v.indexes, v.indexesOf = slices.Clone(v.indexes), v.owner
	}
	b := x.in(v).Own(v.owner)
	v.indexes[x.id] = b
	return b
}

func (x *index[K, T, V]) stageNew(obj *T) uint64 {
	x.newValues.Reset()
	x.oldValues.Reset()
	x.oldKnown, x.newFingerprint = false, 0
	if obj != nil {
		x.fill(&x.newValues, *obj)
		x.newFingerprint = x.fingerprint(x.newValues.Values, x.newValues.Hashes)
	}
	return x.newFingerprint
}

func (x *index[K, T, V]) stageOld(obj *T) (difference uint64) {
	defer func() {
		if recover() != nil {
			x.oldValues.Reset()
			difference = -x.newFingerprint
		}
	}()
	x.oldKnown = true
	x.fill(&x.oldValues, *obj)
	return x.fingerprint(x.oldValues.Values, x.oldValues.Hashes) - x.newFingerprint
}

func (x *index[K, T, V]) failNew(key K, err error) {
	x.newValues.Reset()
	x.newFingerprint = 0
	x.fail(key, err)
}

func (x *index[K, T, V]) commit(v *version[K, T], key K, slot uint32, had, trusted bool) {
	if trusted && (had && !x.oldKnown || slices.Equal(x.oldValues.Hashes, x.newValues.Hashes) &&
		slices.Equal(x.oldValues.Values, x.newValues.Values)) {
		return
	}
	if !had && x.deferInsert(v, slot) {
		return
	}
	b := x.own(v)
	was, stays := extract.Amongst(x.oldValues.Values), extract.Amongst(x.newValues.Values)
	for i, value := range x.oldValues.Values {
		if trusted && !stays.Has(value) {
			hash := x.oldValues.Hashes[i]
			trusted = b.Remove(hash, b.Find(hash, value), slot)
		}
	}
	if !trusted && !x.purge(b, slot) && !x.disordered {
		x.fail(key, ErrImpure)
	}
	b.Multi = b.Multi || len(x.newValues.Values) > 1
	for i, value := range x.newValues.Values {
		if trusted && was.Has(value) {
			continue
		}
		if !b.Add(x.newValues.Hashes[i], value, slot) {
			x.fail(key, errOrder)
			x.disordered = true
		}
	}
}

func (x *index[K, T, V]) note(fire func(*notify.Signal)) {
	x.watchers.Each(x.oldValues.Values, fire)
	x.watchers.Each(x.newValues.Values, fire)
}

// purge removes slot from every bucket that has it, and reports whether those buckets were exactly the
// ones of the old values. It repairs the index after the function was found impure. It visits every
// bucket.
func (x *index[K, T, V]) purge(b *buckets.Buckets[V], slot uint32) (right bool) {
	var under []*posting.Bucket[V]
	b.Each(func(e *posting.Bucket[V]) bool {
		if e.Posting.Has(slot) {
			under = append(under, e)
		}
		return true
	})
	right = len(under) == len(x.oldValues.Values)
	if x.store.watched {
		// note has fired only the watchers of the values that were computed for the old object. The
		// index may hold it under others, so fire those too.
		x.store.watch.Note(func(fire func(*notify.Signal)) {
			for _, e := range under {
				x.watchers.Each([]V{e.Value}, fire)
			}
		})
	}
	for _, e := range under {
		right = right && slices.Contains(x.oldValues.Values, e.Value)
		b.Remove(x.hash(e.Value), e, slot)
	}
	return right
}

// bucketsOf returns the buckets of a frozen version. If the version does not have the index, it
// builds them.
func (x *index[K, T, V]) bucketsOf(s *Store[K, T], v *version[K, T]) *buckets.Buckets[V] {
	if x.store == s && x.id < len(v.indexes) {
		return x.in(v)
	}
	b := buckets.New(0, s.seed, x.order)
	var q extract.Result[V]
	v.slots.Each(func(slot uint32, ch *slots.Chunk[K, T]) bool {
		_ = x.ask(&q, ch.Objs[slot&(slots.ChunkSize-1)]) // reported when the object was stored
		for i, value := range q.Values {
			b.Add(q.Hashes[i], value, slot)
			b.Multi = b.Multi || i > 0
		}
		return true
	})
	return b
}

// ask puts the values of obj into q. If the function panics, or a value cannot be hashed, it
// returns an error and q is empty.
func (x *index[K, T, V]) ask(q *extract.Result[V], obj T) (err error) {
	q.Reset()
	defer func() {
		if r := recover(); r != nil {
			q.Reset()
			err = contained(r)
		}
	}()
	x.fill(q, obj)
	return nil
}

// fill is ask without recovery from panics.
func (x *index[K, T, V]) fill(q *extract.Result[V], obj T) {
	values := x.fn(q.Values, obj)
	if extract.SameArray(values, q.Values) {
		q.Values = values
	} else {
		// dst was too small, or the function returned a slice of the object, which must not
		// be written to.
		q.Values = append(q.Values, values...)
	}
	q.Values = extract.Dedupe(q.Values)
	for _, value := range q.Values {
		q.Hashes = append(q.Hashes, x.hash(value))
	}
}

func (x *index[K, T, V]) fail(key K, err error) {
	x.store.failed = append(x.store.failed, func() error {
		return &IndexError{Index: x.name, Key: fmt.Sprint(key), Err: err}
	})
}

// fingerprint returns a 64-bit sum over the index values of an object. Each value adds two
// hashes with different secret seeds: with one hash only, equal sums for different values
// could be found with some millions of tries.
func (x *index[K, T, V]) fingerprint(values []V, hashes []uint64) (sum uint64) {
	for i, hash := range hashes {
		sum += hash*0x9e3779b97f4a7c15 + maphash.Comparable(x.seed, values[i])
	}
	return sum
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
