// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package store

import (
	"hash/maphash"
	"iter"
	"reflect"
	"slices"

	"github.com/indexer-gen/indexer-gen/runtime/store/internal/buckets"
	"github.com/indexer-gen/indexer-gen/runtime/store/internal/extract"
	"github.com/indexer-gen/indexer-gen/runtime/store/internal/iterate"
	"github.com/indexer-gen/indexer-gen/runtime/store/internal/posting"
	"github.com/indexer-gen/indexer-gen/runtime/store/internal/slots"
)

// Index is the handle of one index over a store: what its queries go through.
// It is a small value, to be copied. A zero Index finds nothing.
type Index[K comparable, T any, V comparable] struct{ x *index[K, T, V] }

// AddIndex has s keep an index of the values that fn appends to dst for an
// object: none, one or several; a value that appears twice counts once. What it
// returns in another array than that of dst is copied, and may be the object's own.
// The store may be full and in use: readers go on meanwhile, writers wait.
//
// fn must be pure: it may read obj and, through a Reader, the store, and must
// return the same whenever it is asked, also by several goroutines at once, as a
// Query or the mutation detector may. It must not write to the store. If it panics, that
// is reported, and the object is in no bucket of this index. It must not call
// runtime.Goexit, as t.FailNow does: the next write panics.
//
// name is for reports. V must be no interface and contain none: two values of different
// types may have one hash. Such an index reports every object, and finds none.
func AddIndex[K comparable, T any, V comparable](
	s *Store[K, T], name string, fn func(dst []V, obj T) []V,
) Index[K, T, V] {
	return Index[K, T, V]{addIndex(s, &index[K, T, V]{store: s, name: name, fn: fn})}
}

func addIndex[K comparable, T any, V comparable](s *Store[K, T], x *index[K, T, V]) *index[K, T, V] {
	failed := func() []failure {
		s.lockToWrite()
		defer s.write.Unlock()
		for _, have := range s.indexers {
			if have, ok := have.(*index[K, T, V]); ok && x.once && have.once && have.name == x.name {
				x, s.writing = have, false
				return nil
			}
		}
		if hasInterface(reflect.TypeFor[V]()) {
			x.fn = func([]V, T) []V { panic(errInterface) } //nolint:forbidigo // to be reported
		}
		v := s.branch()
		x.id, x.seed = len(v.indexes), maphash.MakeSeed()
		v.indexes, v.indexesOf = append(slices.Clip(v.indexes), buckets.New(v.owner, s.seed, x.order)), v.owner
		v.slots.Each(func(slot uint32, ch *slots.Chunk[K, T]) bool {
			key := s.keyIn(ch, slot)
			s.fingerprints[slot] += s.askNew([]indexer[K, T]{x}, key, &ch.Objs[slot&(slots.ChunkSize-1)])
			x.commit(v, key, slot, false, true)
			return true
		})
		s.indexers = append(s.indexers, x)
		names := append(s.Indexes(), x.name)
		s.names.Store(&names)
		s.ordered = s.ordered || x.foreign
		if l, ok := any(x).(*index[K, T, Label]); ok && x.labels && s.labels == nil {
			v.labels, s.labels = x.id+1, l
		}
		s.swap(v)
		return s.takeFailed()
	}()
	s.finish(failed)
	return x
}

// Indexes returns the names of the indexes, in the order in which they were added. It
// waits for nobody.
func (s *Store[K, T]) Indexes() []string {
	if names := s.names.Load(); names != nil {
		return slices.Clone(*names)
	}
	return nil
}

// Name returns the name that the index was added under.
func (ix Index[K, T, V]) Name() string {
	if ix.x == nil {
		return ""
	}
	return ix.x.name
}

// Get yields the objects that are indexed under value, in no particular order. The
// sequence ranges over a snapshot taken when the loop begins; no lock is held while the
// body runs.
//
// Finding them costs the same however large the store is, and no memory. A
// snapshot that is older than the index is searched object by object.
func (ix Index[K, T, V]) Get(r Reader[K, T], value V) iter.Seq[T] {
	return func(yield func(T) bool) {
		var c iterate.Run[K, T]
		for objs := ix.begin(&c, r, value); len(objs) > 0; objs = c.Next() {
			for _, obj := range objs {
				if !yield(obj) {
					return
				}
			}
		}
	}
}

// GetOrAll is Get or, if all is true, Reader.All. Listers use it where a value such as the
// empty namespace means all objects.
func (ix Index[K, T, V]) GetOrAll(r Reader[K, T], value V, all bool) iter.Seq[T] {
	return func(yield func(T) bool) {
		var c iterate.Run[K, T]
		for objs := ix.beginOrAll(&c, r, value, all); len(objs) > 0; objs = c.More() {
			for _, obj := range objs {
				if !yield(obj) {
					return
				}
			}
		}
	}
}

func (ix Index[K, T, V]) beginOrAll(c *iterate.Run[K, T], r Reader[K, T], value V, all bool) []T {
	if all {
		return c.All(&r.frozen().slots)
	}
	return ix.begin(c, r, value)
}

// begin gives out the first objects under value. A live version is only read under the
// gate; an index with an order of the user's is not read there, for foreign code runs
// under no lock.
func (ix Index[K, T, V]) begin(c *iterate.Run[K, T], r Reader[K, T], value V) []T {
	x := ix.x
	if x == nil || r.s == nil {
		return nil
	}
	hash := x.hash(value)
	if r.at == nil && !x.foreign && x.store == r.s {
		x.store.publish.RLock()
		v := x.store.current
		e := x.in(v).Find(hash, value)
		switch {
		case e == nil:
			x.store.publish.RUnlock()
			return nil
		case e.Posting.Len() <= iterate.Size && e.Posting.IsArray():
			objs := c.Of(&v.slots, &e.Posting)
			x.store.publish.RUnlock()
			return objs
		}
		x.store.share()
		x.store.publish.RUnlock()
		return c.Of(&v.slots, &e.Posting)
	}
	v := r.frozen()
	p := x.lookup(r.s, v, hash, value)
	if p == nil {
		return nil
	}
	return c.Of(&v.slots, p)
}

// lookup returns the slots under value in a frozen version, or nil.
func (x *index[K, T, V]) lookup(s *Store[K, T], v *version[K, T], hash uint64, value V) *posting.Posting {
	if e := x.bucketsOf(s, v).Find(hash, value); e != nil {
		return &e.Posting
	}
	return nil
}

// Count returns how many objects are indexed under value, without visiting them. Of
// an index with an order of the user's it takes a snapshot to ask.
func (ix Index[K, T, V]) Count(r Reader[K, T], value V) int {
	if ix.x == nil || r.s == nil {
		return 0
	}
	return ix.x.count(r, ix.x.hash(value), value)
}

func (x *index[K, T, V]) count(r Reader[K, T], hash uint64, value V) (n int) {
	if r.at == nil && !x.foreign && x.store == r.s {
		r.read(func(v *version[K, T]) {
			if e := x.in(v).Find(hash, value); e != nil {
				n = e.Posting.Len()
			}
		})
		return n
	}
	if p := x.lookup(r.s, r.frozen(), hash, value); p != nil {
		n = p.Len()
	}
	return n
}

// Values yields each value that objects are indexed under, and how many are:
// those of an ordered index in order. It takes a snapshot.
func (ix Index[K, T, V]) Values(r Reader[K, T]) iter.Seq2[V, int] {
	return func(yield func(V, int) bool) {
		if ix.x == nil || r.s == nil {
			return
		}
		b := ix.x.bucketsOf(r.s, r.frozen())
		b.Each(func(e *posting.Bucket[V]) bool { return yield(e.Value, e.Posting.Len()) })
	}
}

// Len returns how many values objects are indexed under, without visiting them.
func (ix Index[K, T, V]) Len(r Reader[K, T]) int {
	if ix.x == nil {
		return 0
	}
	n, _ := ix.x.sizes(r)
	return n
}

// sizes returns how many values there are, and how many of them have several objects. A
// live version is asked under the gate, so that the next write has nothing to copy.
func (x *index[K, T, V]) sizes(r Reader[K, T]) (values, conflicts int) {
	if r.at == nil && x.store == r.s {
		r.read(func(v *version[K, T]) {
			b := x.in(v)
			values, conflicts = b.Len(), b.Conflicts
		})
		return values, conflicts
	}
	b := x.bucketsOf(r.s, r.frozen())
	return b.Len(), b.Conflicts
}

// ValuesOf returns the values that the index's function gives for obj, which
// need not be in the store; none if the function fails.
func (ix Index[K, T, V]) ValuesOf(obj T) []V {
	var q extract.Result[V]
	if ix.x == nil || ix.x.ask(&q, obj) != nil {
		return nil
	}
	return q.Values
}
