// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package store

import (
	"encoding/binary"
	"math/bits"
)

const (
	dirBits  = 6
	dirSize  = 1 << dirBits
	leafSize = 32
	// maxShift is where a path of hash bits ends; the top 8 bits are the tag.
	maxShift = 54
)

// trie is a persistent hash table of entries that do not store their hash.
//
// Each directory is a small extendible hash table (Fagin et al., 1979): several
// of its 64 pointers may share a leaf, a full leaf splits in two by its next
// hash bit, and only a leaf that has no bit left in its directory becomes a
// directory of its own. Leaves thus stay half to wholly full at any size.
//
// A node may be changed in place by the owner that made it; for any other it
// is frozen, and copied on the way to a change. So a snapshot costs nothing, and
// the first write after it copies one path.
type trie[E any] struct {
	root *dir[E]
	n    int
}

type dir[E any] struct {
	owner  uint64
	leaves [dirSize]*leaf[E]
	subs   *[dirSize]*dir[E] // nil until a leaf has outgrown this directory
}

type leaf[E any] struct {
	owner    uint64
	depth    uint8 // how many hash bits of its directory all its entries share
	n        uint8
	tags     [leafSize]uint8
	entries  [leafSize]E
	overflow *leaf[E] // only when a path of hash bits has ended
}

// leaf returns the first leaf that may hold an entry with this hash, or nil.
func (t *trie[E]) leaf(hash uint64) *leaf[E] {
	d := t.root
	if d == nil {
		return nil
	}
	for shift := uint(0); ; shift += dirBits {
		i := hash >> shift & (dirSize - 1)
		if d.subs != nil && d.subs[i] != nil {
			d = d.subs[i]
			continue
		}
		return d.leaves[i]
	}
}

func tagOf(hash uint64) uint8 { return uint8(hash >> 56) }

// matches has a bit set for each entry with this tag. It compares eight tags
// at a time within a word, as Swiss tables do without vector instructions.
func (l *leaf[E]) matches(tag uint8) uint32 {
	const low, ones = 0x7f7f7f7f7f7f7f7f, 0x0101010101010101
	var m uint32
	for w := 0; w < leafSize; w += 8 {
		x := binary.LittleEndian.Uint64(l.tags[w:w+8]) ^ ones*uint64(tag)
		zero := ^((x&low + low) | x | low)
		m |= uint32((zero>>7)*0x0102040810204080>>56) << w
	}
	return m & uint32(1<<l.n-1)
}

// find returns the entry with this hash that match accepts.
func (t *trie[E]) find(hash uint64, match func(E) bool) (e E, ok bool) {
	for l := t.leaf(hash); l != nil; l = l.overflow {
		for m := l.matches(tagOf(hash)); m != 0; m &= m - 1 {
			if e := l.entries[bits.TrailingZeros32(m)]; match(e) {
				return e, true
			}
		}
	}
	return e, false
}

// insert adds an entry that is known to be absent. hashOf must give the hash
// that each present entry was inserted with.
func (t *trie[E]) insert(owner, hash uint64, e E, hashOf func(E) uint64) {
	t.n++
	if t.root == nil {
		t.root = newDir(owner, &leaf[E]{owner: owner})
	}
	for d, shift := t.own(owner), uint(0); ; {
		i := hash >> shift & (dirSize - 1)
		if d.subs != nil && d.subs[i] != nil {
			d, shift = d.ownSub(owner, i), shift+dirBits
			continue
		}
		l := d.ownLeaf(owner, i)
		switch {
		case l.n < leafSize:
			l.push(tagOf(hash), e)
			return
		case l.depth < dirBits:
			d.split(owner, i, shift, l, hashOf)
		case shift+dirBits < maxShift:
			d.deepen(owner, i, l)
		default:
			// So many equal hashes are a broken hash function; stay correct.
			d.leaves[i] = &leaf[E]{owner: owner, depth: l.depth, overflow: l}
		}
	}
}

// ref returns where the entry with this hash that match accepts may be
// changed, or nil if there is none. It is valid until the next change.
func (t *trie[E]) ref(owner, hash uint64, match func(E) bool) *E {
	if _, ok := t.find(hash, match); !ok {
		return nil
	}
	l, i := t.locate(owner, hash, match)
	return &l.entries[i]
}

// remove takes out the entry with this hash that match accepts.
func (t *trie[E]) remove(owner, hash uint64, match func(E) bool) bool {
	if _, ok := t.find(hash, match); !ok {
		return false
	}
	l, i := t.locate(owner, hash, match)
	var zero E
	l.n--
	l.tags[i], l.entries[i] = l.tags[l.n], l.entries[l.n]
	l.entries[l.n] = zero
	t.n--
	if t.n == 0 {
		t.root = nil
	}
	return true
}

// locate returns the place of an entry that is known to be there, on a path
// that owner may change.
func (t *trie[E]) locate(owner, hash uint64, match func(E) bool) (*leaf[E], int) {
	d := t.own(owner)
	for shift := uint(0); ; shift += dirBits {
		i := hash >> shift & (dirSize - 1)
		if d.subs != nil && d.subs[i] != nil {
			d = d.ownSub(owner, i)
			continue
		}
		for l := d.ownLeaf(owner, i); ; l = l.ownOverflow(owner) {
			for m := l.matches(tagOf(hash)); m != 0; m &= m - 1 {
				if j := bits.TrailingZeros32(m); match(l.entries[j]) {
					return l, j
				}
			}
		}
	}
}

// each calls yield with every entry until it returns false.
func (t *trie[E]) each(yield func(E) bool) {
	if t.root != nil {
		t.root.each(yield)
	}
}

func (d *dir[E]) each(yield func(E) bool) bool {
	for i := range d.leaves {
		if d.subs != nil && d.subs[i] != nil {
			if !d.subs[i].each(yield) {
				return false
			}
			continue
		}
		l := d.leaves[i]
		if l == nil || i>>l.depth != 0 {
			continue // shared: visited at the lowest of its pointers
		}
		for ; l != nil; l = l.overflow {
			for _, e := range l.entries[:l.n] {
				if !yield(e) {
					return false
				}
			}
		}
	}
	return true
}
