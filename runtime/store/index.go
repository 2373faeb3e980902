// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package store

import (
	"fmt"
	"iter"
	"slices"

	"github.com/indexer-gen/indexer-gen/runtime/store/internal/index"
	"github.com/indexer-gen/indexer-gen/runtime/store/internal/posting"
	"github.com/indexer-gen/indexer-gen/runtime/store/internal/query"
	"github.com/indexer-gen/indexer-gen/runtime/store/internal/table"
)

// Index is a handle of one index of a store. It is a small value; copy it freely. The zero
// Index finds nothing.
type Index[K comparable, T any, V comparable] struct{ index *index.Index[T, V] }

// AddIndex adds an index to s. fn appends the index values of obj to dst: none, one or several.
// Duplicate values count once. fn may also return a slice of obj, which is copied. s may
// contain objects and be in use: readers continue and writers wait.
//
// fn must be pure: it returns the same values for an object each time, and several
// goroutines may call it at once. It may read obj and, through a Reader, the store; it must not
// write to the store. If it panics, the panic is reported and the object has no values in this
// index. It must not call runtime.Goexit, as t.FailNow does: the next write would panic.
//
// name appears in errors. V must not be or contain an interface; otherwise the index reports
// an error for every object, and finds none.
func AddIndex[K comparable, T any, V comparable](
	s *Store[K, T], name string, fn func(dst []V, obj T) []V,
) Index[K, T, V] {
	return Index[K, T, V]{addIndex(s, &index.Index[T, V]{Name: name, Fn: fn})}
}

// addIndex adds x to s, and the objects of s to x.
func addIndex[K comparable, T any, V comparable](s *Store[K, T], x *index.Index[T, V]) *index.Index[T, V] {
	s.wakeAndReport(s.publish(func(v *version[K, T]) {
		x.Watch, x.Report = &s.queryWatches, func(err error) { s.deferIndexError(x.Name, err) }
		x.Add(&v.indexes, v.owner, s.keyFuncs.Seed)
		s.indexes.Add(x, &v.indexes, v.owner, func(yield func(slot uint32, obj *T)) {
			v.Each(func(slot uint32, ch *table.Chunk[K, T]) bool {
				s.keyInProgress = v.KeyIn(ch, slot)
				yield(slot, &ch.Objs[slot&(table.ChunkSize-1)])
				return true
			})
		})
		names := append(s.Indexes(), x.Name)
		s.indexNames.Store(&names)
	}))
	return x
}

// deferIndexError reports an error of an index for the object of the write in progress.
func (s *Store[K, T]) deferIndexError(indexName string, err error) {
	key := s.keyInProgress
	s.pendingFailures = append(s.pendingFailures, func() error {
		return &IndexError{Index: indexName, Key: fmt.Sprint(key), Err: err}
	})
}

// Indexes returns the names of the indexes in the order in which they were added. It does not
// block.
func (s *Store[K, T]) Indexes() []string {
	if names := s.indexNames.Load(); names != nil {
		return slices.Clone(*names)
	}
	return nil
}

// Name returns the name of the index.
func (ix Index[K, T, V]) Name() string {
	if ix.index == nil {
		return ""
	}
	return ix.index.Name
}

// Get yields the objects that are indexed under value, in no particular order. The
// sequence ranges over a snapshot taken when the loop begins; no lock is held while the
// body runs.
//
// The cost of finding the objects does not depend on the size of the store, and nothing is
// allocated. A snapshot that is older than the index is searched object by object.
func (ix Index[K, T, V]) Get(r Reader[K, T], value V) iter.Seq[T] {
	return ix.GetOrAll(r, value, false)
}

// GetOrAll is Get or, if all is true, Reader.All. Listers use it where a value such as the
// empty namespace means all objects.
func (ix Index[K, T, V]) GetOrAll(r Reader[K, T], value V, all bool) iter.Seq[T] {
	return func(yield func(T) bool) {
		var c query.Run[K, T]
		for objs := ix.firstRun(&c, r, value, all); len(objs) > 0; objs = c.Next() {
			for _, obj := range objs {
				if !yield(obj) {
					return
				}
			}
		}
	}
}

// firstRun returns the first run of the objects indexed under value or, if all is true, of all objects.
func (ix Index[K, T, V]) firstRun(c *query.Run[K, T], r Reader[K, T], value V, all bool) []T {
	if all {
		return c.OfAll(&r.version().Vector)
	}
	v, p := ix.lookupPosting(r, value)
	return c.OfPosting(&v.Vector, p)
}

// findOrBuildBuckets returns the version that r reads, and the buckets of the index in it. They are empty if ix or r
// is zero. If the version does not have the index, because it is older or of another store, it builds them.
func (ix Index[K, T, V]) findOrBuildBuckets(r Reader[K, T]) (*version[K, T], *index.Buckets[V]) {
	v := r.version()
	switch {
	case ix.index == nil || r.store == nil:
		return v, &index.Buckets[V]{}
	case ix.index.Watch == &r.store.queryWatches && ix.index.ID < v.indexes.Len():
		return v, ix.index.In(&v.indexes)
	}
	return v, ix.index.Build(func(yield func(uint32, T) bool) {
		v.Each(func(slot uint32, ch *table.Chunk[K, T]) bool {
			return yield(slot, ch.Objs[slot&(table.ChunkSize-1)])
		})
	})
}

// lookupPosting returns the version that r reads, and the slots under value in it.
func (ix Index[K, T, V]) lookupPosting(r Reader[K, T], value V) (*version[K, T], *posting.Posting) {
	v, b := ix.findOrBuildBuckets(r)
	if ix.index != nil {
		if e := b.Find(ix.index.Hash(value), value); e != nil {
			return v, &e.Posting
		}
	}
	return v, query.None
}

// Count returns the number of objects indexed under value, without visiting them.
func (ix Index[K, T, V]) Count(r Reader[K, T], value V) int {
	_, p := ix.lookupPosting(r, value)
	return p.Len()
}

// Values yields each index value and its number of objects. The values of an ordered index come
// in order.
func (ix Index[K, T, V]) Values(r Reader[K, T]) iter.Seq2[V, int] {
	return func(yield func(V, int) bool) {
		_, b := ix.findOrBuildBuckets(r)
		b.Each(func(e *posting.Bucket[V]) bool { return yield(e.Value, e.Posting.Len()) })
	}
}

// Len returns the number of index values, without visiting them.
func (ix Index[K, T, V]) Len(r Reader[K, T]) int {
	_, b := ix.findOrBuildBuckets(r)
	return b.Len()
}

// valuesOf returns the values of obj according to the index function. obj need not be in the
// store. It returns none if the function panics.
func (ix Index[K, T, V]) valuesOf(obj T) []V {
	if ix.index == nil {
		return nil
	}
	return ix.index.ValuesOf(obj)
}
