// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package store

import "math/bits"

// buckets is one version of an index: a posting for each value, in a hash trie
// or, of an ordered index, in a tree.
type buckets[V comparable] struct {
	owner     uint64
	trie      trie[*bucket[V]]
	tree      tree[V]
	conflicts int  // how many values have more than one object
	multi     bool // some object has been under several values; of an ordered index
}

// bucket is an index value and the objects under it; it is never empty.
type bucket[V comparable] struct {
	owner   uint64
	value   V
	posting posting
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
func (x *index[K, T, V]) find(b *buckets[V], hash uint64, value V) *bucket[V] {
	if x.order != nil {
		if e := b.tree.find(x.order, value); e != nil && e.value == value {
			return e
		}
		return nil
	}
	for l := b.trie.leaf(hash); l != nil; l = l.overflow {
		for m := l.matches(tagOf(hash)); m != 0; m &= m - 1 {
			if e := l.entries[bits.TrailingZeros32(m)]; e.value == value {
				return e
			}
		}
	}
	return nil
}

// len returns how many values there are.
func (x *index[K, T, V]) len(b *buckets[V]) int {
	if x.order != nil {
		return b.tree.n
	}
	return b.trie.n
}

// each calls yield with every bucket until it returns false.
func (x *index[K, T, V]) each(b *buckets[V], yield func(*bucket[V]) bool) {
	if x.order != nil {
		b.tree.ascend(x.order, Span[V]{}, yield)
		return
	}
	b.trie.each(yield)
}

// add puts slot under value, where it is not. It fails if the order calls another value
// equal.
func (x *index[K, T, V]) add(b *buckets[V], hash uint64, value V, slot uint32) error {
	var e *bucket[V]
	if x.order == nil {
		e = x.find(b, hash, value)
	} else if e = b.tree.find(x.order, value); e != nil && e.value != value {
		return errOrder
	}
	if e == nil {
		e = &bucket[V]{owner: b.owner, value: value}
		if x.order != nil {
			b.tree.insert(b.owner, x.order, e)
		} else {
			b.trie.insert(b.owner, hash, e, func(e *bucket[V]) uint64 { return x.hash(e.value) })
		}
	} else {
		e = x.own(b, hash, e)
	}
	if e.posting.add(b.owner, slot) && e.posting.len() == 2 {
		b.conflicts++
	}
	return nil
}

// remove takes slot out from under the value of a bucket, and says whether it
// was there. It lets go of the bucket if that empties it.
func (x *index[K, T, V]) remove(b *buckets[V], hash uint64, e *bucket[V], slot uint32) bool {
	if e == nil || !e.posting.has(slot) {
		return false
	}
	e = x.own(b, hash, e)
	e.posting.remove(b.owner, slot)
	switch e.posting.len() {
	case 1:
		b.conflicts--
	case 0:
		if x.order != nil {
			b.tree.remove(b.owner, b.tree.pathTo(x.order, e))
		} else {
			b.trie.remove(b.owner, hash, func(o *bucket[V]) bool { return o == e })
		}
	}
	return true
}

// own returns a bucket for b.owner to change: itself or, in its place, a copy.
func (x *index[K, T, V]) own(b *buckets[V], hash uint64, e *bucket[V]) *bucket[V] {
	if e.owner == b.owner {
		return e
	}
	c := &bucket[V]{owner: b.owner, value: e.value, posting: e.posting.clone()}
	if x.order != nil {
		*b.tree.ref(b.owner, b.tree.pathTo(x.order, e)) = c
	} else {
		*b.trie.ref(b.owner, hash, func(o *bucket[V]) bool { return o == e }) = c
	}
	return c
}
