// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package store

import (
	"math/bits"

	"github.com/indexer-gen/indexer-gen/runtime/store/internal/btree"
	"github.com/indexer-gen/indexer-gen/runtime/store/internal/posting"
	"github.com/indexer-gen/indexer-gen/runtime/store/internal/trie"
)

// buckets is one version of an index: a posting for each value, in a hash trie
// or, of an ordered index, in a tree.
type buckets[V comparable] struct {
	owner     uint64
	trie      trie.Trie[*posting.Bucket[V]]
	tree      btree.Tree[V]
	conflicts int  // how many values have more than one object
	multi     bool // some object has been under several values; of an ordered index
}

func (b *buckets[V]) own(owner uint64) indexState {
	if b.owner == owner {
		return b
	}
	c := *b
	c.owner = owner
	return &c
}

// find returns the bucket of value, or nil.
func (x *index[K, T, V]) find(b *buckets[V], hash uint64, value V) *posting.Bucket[V] {
	if x.order != nil {
		if e := b.tree.Find(x.order, value); e != nil && e.Value == value {
			return e
		}
		return nil
	}
	for l := b.trie.Leaf(hash); l != nil; l = l.Overflow {
		for m := l.Matches(trie.TagOf(hash)); m != 0; m &= m - 1 {
			if e := l.Entries[bits.TrailingZeros32(m)]; e.Value == value {
				return e
			}
		}
	}
	return nil
}

// len returns how many values there are.
func (x *index[K, T, V]) len(b *buckets[V]) int {
	if x.order != nil {
		return b.tree.Len()
	}
	return b.trie.Len()
}

// each calls yield with every bucket until it returns false.
func (x *index[K, T, V]) each(b *buckets[V], yield func(*posting.Bucket[V]) bool) {
	if x.order != nil {
		b.tree.Ascend(x.order, btree.Range[V]{}, yield)
		return
	}
	b.trie.Each(yield)
}

// add puts slot under value, where it is not. It fails if the order calls another value
// equal.
func (x *index[K, T, V]) add(b *buckets[V], hash uint64, value V, slot uint32) error {
	var e *posting.Bucket[V]
	if x.order == nil {
		e = x.find(b, hash, value)
	} else if e = b.tree.Find(x.order, value); e != nil && e.Value != value {
		return errOrder
	}
	if e == nil {
		e = &posting.Bucket[V]{Owner: b.owner, Value: value}
		if x.order != nil {
			b.tree.Insert(b.owner, x.order, e)
		} else {
			b.trie.Insert(b.owner, hash, e, func(e *posting.Bucket[V]) uint64 { return x.hash(e.Value) })
		}
	} else {
		e = x.own(b, hash, e)
	}
	if e.Posting.Add(b.owner, slot) && e.Posting.Len() == 2 {
		b.conflicts++
	}
	return nil
}

// remove takes slot out from under the value of a bucket, and says whether it
// was there. It lets go of the bucket if that empties it.
func (x *index[K, T, V]) remove(b *buckets[V], hash uint64, e *posting.Bucket[V], slot uint32) bool {
	if e == nil || !e.Posting.Has(slot) {
		return false
	}
	e = x.own(b, hash, e)
	e.Posting.Remove(b.owner, slot)
	switch e.Posting.Len() {
	case 1:
		b.conflicts--
	case 0:
		if x.order != nil {
			b.tree.Remove(b.owner, b.tree.PathTo(x.order, e))
		} else {
			b.trie.Remove(b.owner, hash, func(o *posting.Bucket[V]) bool { return o == e })
		}
	}
	return true
}

// own returns a bucket for b.owner to change: itself or, in its place, a copy.
func (x *index[K, T, V]) own(b *buckets[V], hash uint64, e *posting.Bucket[V]) *posting.Bucket[V] {
	if e.Owner == b.owner {
		return e
	}
	c := &posting.Bucket[V]{Owner: b.owner, Value: e.Value, Posting: e.Posting.Clone()}
	if x.order != nil {
		*b.tree.Ref(b.owner, b.tree.PathTo(x.order, e)) = c
	} else {
		*b.trie.Ref(b.owner, hash, func(o *posting.Bucket[V]) bool { return o == e }) = c
	}
	return c
}
