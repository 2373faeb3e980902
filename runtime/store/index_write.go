// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package store

import (
	"hash/maphash"
	"slices"

	"github.com/indexer-gen/indexer-gen/runtime/store/internal/buckets"
	"github.com/indexer-gen/indexer-gen/runtime/store/internal/notify"
	"github.com/indexer-gen/indexer-gen/runtime/store/internal/posting"
)

// indexer is an index as the store's writer sees it.
type indexer[K comparable, T any] interface {
	// stageNew asks the index function about the new object, nil for none,
	// and returns the mark of what it says. It may panic. No reader waits for it.
	stageNew(obj *T) (mark uint64)
	// askAhead asks about the objects that are written next, nil for none, and may panic;
	// stageAhead is stageNew for the i-th of them.
	askAhead(objs []*T)
	stageAhead(i int) (mark uint64)
	// failNew has it stand under no value, for stageNew has panicked.
	failNew(key K, err error)
	// stageOld asks about the object that goes, and returns by how much its mark
	// differs. An index that is not asked does not move. If the function panics it says
	// nothing; that was reported when the object was stored, or the mark will not be right.
	stageOld(obj *T) (difference uint64)
	// commit moves the slot from the old values to the new ones. Readers may
	// wait for it. If the old values are not to be trusted, the slot is taken
	// out from wherever it is.
	commit(v *version[K, T], key K, slot uint32, had, trusted bool)
	// catchUp does what commit has postponed.
	catchUp(v *version[K, T])
	// trim gives back room that catchUp has taken in advance.
	trim(v *version[K, T])
	// note calls fire with whoever watches one of the staged values.
	note(fire func(*notify.Signal))
	// renumber has what is in slots be in others.
	renumber(v *version[K, T], to []uint32)
}

// index is the writer's side of an index; what readers see is buckets. All but
// its constants is guarded by the store's write lock.
type index[K comparable, T any, V comparable] struct {
	store *Store[K, T]
	id    int
	name  string
	fn    func(dst []V, obj T) []V
	order func(a, b V) int // nil: the index is not ordered
	seed  maphash.Seed     // of marks

	foreign bool // order is not our own: no reader waits for it
	labels  bool // this is the index that selectors are answered from
	once    bool // a store has one at most that is so and has this name

	// What is staged:
	now     asked[V] // of the new object
	was     asked[V] // of the old one
	asked   bool     // was is known
	newMark uint64   // the mark of now
	ahead   ahead[V] // of the objects that come next

	postponed []placing[V] // fewer than lookahead
	pushed    bool         // some postings have more room than they should

	disordered bool // the order has called different values equal

	watchers notify.ByValue[V]
}

func (x *index[K, T, V]) hash(value V) uint64 { return maphash.Comparable(x.store.seed, value) }

// in returns the index's part of a version.
func (x *index[K, T, V]) in(v *version[K, T]) *buckets.Buckets[V] {
	return v.indexes[x.id].(*buckets.Buckets[V])
}

// own is in for the owner of v to change.
func (x *index[K, T, V]) own(v *version[K, T]) *buckets.Buckets[V] {
	if v.indexesOf != v.owner {
		v.indexes, v.indexesOf = slices.Clone(v.indexes), v.owner
	}
	b := x.in(v).Own(v.owner)
	v.indexes[x.id] = b
	return b
}

func (x *index[K, T, V]) stageNew(obj *T) uint64 {
	x.now.reset()
	x.was.reset()
	x.asked, x.newMark = false, 0
	if obj != nil {
		x.fill(&x.now, *obj)
		x.newMark = x.mark(x.now.values, x.now.hashes)
	}
	return x.newMark
}

func (x *index[K, T, V]) stageOld(obj *T) (difference uint64) {
	defer func() {
		if recover() != nil {
			x.was.reset()
			difference = -x.newMark
		}
	}()
	x.asked = true
	x.fill(&x.was, *obj)
	return x.mark(x.was.values, x.was.hashes) - x.newMark
}

func (x *index[K, T, V]) failNew(key K, err error) {
	x.now.reset()
	x.newMark = 0
	x.fail(key, err)
}

func (x *index[K, T, V]) commit(v *version[K, T], key K, slot uint32, had, trusted bool) {
	if trusted && (had && !x.asked || slices.Equal(x.was.hashes, x.now.hashes) && slices.Equal(x.was.values, x.now.values)) {
		return
	}
	if !had && x.postpone(v, slot) {
		return
	}
	b := x.own(v)
	was, stays := amongst(x.was.values), amongst(x.now.values)
	for i, value := range x.was.values {
		if trusted && !stays.has(value) {
			hash := x.was.hashes[i]
			trusted = b.Remove(hash, b.Find(hash, value), slot)
		}
	}
	if !trusted && !x.purge(b, slot) && !x.disordered {
		x.fail(key, ErrImpure)
	}
	b.Multi = b.Multi || len(x.now.values) > 1
	for i, value := range x.now.values {
		if trusted && was.has(value) {
			continue
		}
		if !b.Add(x.now.hashes[i], value, slot) {
			x.fail(key, errOrder)
			x.disordered = true
		}
	}
}

func (x *index[K, T, V]) note(fire func(*notify.Signal)) {
	x.watchers.Each(x.was.values, fire)
	x.watchers.Each(x.now.values, fire)
}

// purge takes slot out from under whatever value it is, and says whether these
// were the ones that the object is thought to have had: the way back to a right
// index once a function has been found impure. It visits every bucket.
func (x *index[K, T, V]) purge(b *buckets.Buckets[V], slot uint32) (right bool) {
	var under []*posting.Bucket[V]
	b.Each(func(e *posting.Bucket[V]) bool {
		if e.Posting.Has(slot) {
			under = append(under, e)
		}
		return true
	})
	right = len(under) == len(x.was.values)
	if x.store.watched {
		// Watchers of these values have been told only of those that the function gives now.
		x.store.watch.Note(func(fire func(*notify.Signal)) {
			for _, e := range under {
				x.watchers.Each([]V{e.Value}, fire)
			}
		})
	}
	for _, e := range under {
		right = right && slices.Contains(x.was.values, e.Value)
		b.Remove(x.hash(e.Value), e, slot)
	}
	return right
}
