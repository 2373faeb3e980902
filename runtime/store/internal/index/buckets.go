// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package index

import (
	"cmp"
	"fmt"
	"hash/maphash"
	"math/bits"
	"reflect"
	"strings"

	"github.com/indexer-gen/indexer-gen/runtime/store/internal/btree"
	"github.com/indexer-gen/indexer-gen/runtime/store/internal/posting"
	"github.com/indexer-gen/indexer-gen/runtime/store/internal/trie"
)

// Buckets is one version of an index: a posting for each value, in a hash trie or, for an ordered
// index, in a tree.
type Buckets[V comparable] struct {
	owner           uint64
	compareValues   func(a, b V) int // nil: the index is not ordered
	hashSeed        maphash.Seed     // of the hashes
	hashed          trie.Trie[*posting.Bucket[V]]
	ordered         btree.Tree[V]
	Conflicts       int  // the number of values with more than one object
	everMultiValued bool // some object has had several values
}

// newBuckets returns an empty version for owner to change. Values are hashed by maphash.Comparable with
// seed. A nil order means that the index is not ordered.
func newBuckets[V comparable](owner uint64, seed maphash.Seed, order func(a, b V) int) *Buckets[V] {
	return &Buckets[V]{owner: owner, hashSeed: seed, compareValues: order}
}

// mutable returns b or a copy of it, for owner to change.
func (b *Buckets[V]) mutable(owner uint64) *Buckets[V] {
	if b.owner == owner {
		return b
	}
	c := *b
	c.owner = owner
	return &c
}

// Find returns the bucket of value, or nil. An ordered index does not use the hash.
func (b *Buckets[V]) Find(hash uint64, value V) *posting.Bucket[V] {
	if b.compareValues != nil {
		if e := b.ordered.Find(b.compareValues, value); e != nil && e.Value == value {
			return e
		}
		return nil
	}
	l := b.hashed.Leaf(hash)
	for m := l.Matches(trie.TagOf(hash)); m != 0; m &= m - 1 {
		if e := l.Entries[bits.TrailingZeros32(m)]; e.Value == value {
			return e
		}
	}
	return nil
}

// Len returns the number of values.
func (b *Buckets[V]) Len() int {
	if b.compareValues != nil {
		return b.ordered.Len()
	}
	return b.hashed.Len()
}

// Each calls yield with every bucket until it returns false.
func (b *Buckets[V]) Each(yield func(*posting.Bucket[V]) bool) {
	if b.compareValues != nil {
		b.Walk(btree.Range[V]{}, false, yield)
		return
	}
	b.hashed.Each(yield)
}

// Walk is Each for a range of an ordered index; see [btree.Tree.Walk].
func (b *Buckets[V]) Walk(r btree.Range[V], down bool, yield func(*posting.Bucket[V]) bool) {
	b.ordered.Walk(b.compareValues, r, down, yield)
}

// Sizes yields the text of each value, and its number of objects.
func (b *Buckets[V]) Sizes(yield func(value string, objects int) bool) {
	b.Each(func(e *posting.Bucket[V]) bool { return yield(valueText(e.Value), e.Posting.Len()) })
}

// valueText returns the text of a value for people. That of a struct is like "Site: berlin, State: Online", unless it
// formats itself.
func valueText(value any) string {
	v := reflect.ValueOf(value)
	if _, formats := value.(fmt.Stringer); formats || v.Kind() != reflect.Struct {
		return fmt.Sprint(value)
	}
	fields := make([]string, v.NumField())
	for i := range fields {
		fields[i] = v.Type().Field(i).Name + ": " + cmp.Or(fmt.Sprint(v.Field(i)), `""`)
	}
	return strings.Join(fields, ", ")
}

// addSlotIfOrderConsistent inserts slot under value. If the order returns 0 for value and another value of the index,
// addSlotIfOrderConsistent does nothing and returns false.
func (b *Buckets[V]) addSlotIfOrderConsistent(hash uint64, value V, slot uint32) (ok bool) {
	var e *posting.Bucket[V]
	if b.compareValues == nil {
		e = b.Find(hash, value)
	} else if e = b.ordered.Find(b.compareValues, value); e != nil && e.Value != value {
		return false
	}
	if e == nil {
		e = &posting.Bucket[V]{Owner: b.owner, Value: value}
		if b.compareValues != nil {
			b.ordered.Insert(b.owner, b.compareValues, e)
		} else {
			b.hashed.Insert(b.owner, hash, e, b.bucketHash)
		}
	} else {
		e = b.mutableBucket(hash, e, 1)
	}
	if e.Posting.Add(b.owner, slot) && e.Posting.Len() == 2 {
		b.Conflicts++
	}
	return true
}

// removeSlot removes slot from a bucket and reports whether it was present. It removes the bucket
// if it is then empty.
func (b *Buckets[V]) removeSlot(hash uint64, e *posting.Bucket[V], slot uint32) bool {
	if e == nil || !e.Posting.Has(slot) {
		return false
	}
	e = b.mutableBucket(hash, e, 0)
	e.Posting.Remove(b.owner, slot)
	switch e.Posting.Len() {
	case 1:
		b.Conflicts--
	case 0:
		if b.compareValues != nil {
			b.ordered.Remove(b.owner, b.compareValues, e)
		} else {
			b.hashed.Remove(b.owner, hash, func(o *posting.Bucket[V]) bool { return o == e })
		}
	}
	return true
}

// mutableBucket returns e or, in its place, a copy of it with room for so many slots more, for b.owner to change.
func (b *Buckets[V]) mutableBucket(hash uint64, e *posting.Bucket[V], room int) *posting.Bucket[V] {
	if e.Owner == b.owner {
		return e
	}
	c := &posting.Bucket[V]{Owner: b.owner, Value: e.Value, Posting: e.Posting.Clone(room)}
	if b.compareValues != nil {
		*b.ordered.Ref(b.owner, b.compareValues, e) = c
	} else {
		*b.hashed.Ref(b.owner, hash, func(o *posting.Bucket[V]) bool { return o == e }) = c
	}
	return c
}

func (b *Buckets[V]) bucketHash(e *posting.Bucket[V]) uint64 {
	return maphash.Comparable(b.hashSeed, e.Value)
}

// Multi reports whether some object has had several values.
func (b *Buckets[V]) Multi() bool { return b.everMultiValued }
