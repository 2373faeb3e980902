// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package trie has a persistent hash table.
package trie

import "math/bits"

const (
	dirBits  = 4
	dirSize  = 1 << dirBits
	leafSize = 32
)

// Trie is a persistent hash table. Its entries do not store their hash. The zero value is empty.
//
// Each directory is a small extendible hash table (Fagin et al., 1979). Several of its 16
// pointers may share a leaf. A full leaf is split by its next hash bit. A full leaf that has no
// bit left in its directory becomes a directory of its own. So a trie that grows has few leaves
// that are nearly empty. Remove merges no nodes. Hashes must be good: a trie that has more than
// 32 entries of one hash never ends to grow.
//
// The owner that made a node may change it in place; other owners copy it. So a snapshot costs
// nothing, and the first write after it copies one path.
type Trie[E any] struct {
	root  *directory[E]
	count int
}

type directory[E any] struct {
	owner          uint64
	leaves         [dirSize]*Leaf[E]
	subdirectories *[dirSize]*directory[E] // nil until a leaf becomes a directory
}

// Leaf has up to 32 entries.
type Leaf[E any] struct {
	owner      uint64
	localDepth uint8 // the number of hash bits of its directory that all entries share
	count      uint8
	tags       [leafSize / 8]uint64 // a byte for each entry
	Entries    [leafSize]E
}

// Leaf returns the leaf that may have entries with this hash, or nil.
func (t *Trie[E]) Leaf(hash uint64) *Leaf[E] {
	d := t.root
	if d == nil {
		return nil
	}
	for shift := uint(0); ; shift += dirBits {
		i := hash >> shift & (dirSize - 1)
		if d.subdirectories != nil && d.subdirectories[i] != nil {
			d = d.subdirectories[i]
			continue
		}
		return d.leaves[i]
	}
}

// TagOf returns the tag of a hash.
func TagOf(hash uint64) uint8 { return uint8(hash >> 56) }

// Matches returns a bit for each entry with this tag. It compares eight tags in a word at once,
// as Swiss tables do without vector instructions.
// A nil leaf has none.
func (l *Leaf[E]) Matches(tag uint8) uint32 {
	if l == nil {
		return 0
	}
	const low, ones = 0x7f7f7f7f7f7f7f7f, 0x0101010101010101
	var m uint32
	for w := 0; w < leafSize; w += 8 {
		x := l.tags[w/8] ^ ones*uint64(tag)
		zero := ^((x&low + low) | x | low)
		m |= uint32((zero>>7)*0x0102040810204080>>56) << w
	}
	return m & uint32(1<<l.count-1)
}

// Find returns the entry with this hash that match accepts.
func (t *Trie[E]) Find(hash uint64, match func(E) bool) (e E, ok bool) {
	l := t.Leaf(hash)
	for m := l.Matches(TagOf(hash)); m != 0; m &= m - 1 {
		if e := l.Entries[bits.TrailingZeros32(m)]; match(e) {
			return e, true
		}
	}
	return e, false
}

// Insert adds an entry that is absent. hashOf must return the hash that an entry was inserted
// with.
func (t *Trie[E]) Insert(owner, hash uint64, e E, hashOf func(E) uint64) {
	t.count++
	if t.root == nil {
		t.root = newDirectory(owner, &Leaf[E]{owner: owner})
	}
	for d, shift := t.mutableRoot(owner), uint(0); ; {
		i := hash >> shift & (dirSize - 1)
		if d.subdirectories != nil && d.subdirectories[i] != nil {
			d, shift = d.mutableSubdirectory(owner, i), shift+dirBits
			continue
		}
		l := d.mutableLeaf(owner, i)
		switch {
		case l.count < leafSize:
			l.appendEntry(TagOf(hash), e)
			return
		case l.localDepth < dirBits:
			d.splitLeaf(owner, i, shift, l, hashOf)
		default:
			d.replaceLeafByDirectory(owner, i, l)
		}
	}
}

// Reserve prepares an empty trie for n entries: leaves that need not be split save a third of a first
// list, since hashOf reads the key of each of their entries again.
func (t *Trie[E]) Reserve(owner uint64, n int) {
	if n > leafSize {
		t.root = newSizedDirectory[E](owner, n)
	}
}

// Ref returns a pointer to the entry with this hash that match accepts, which must be present. The
// pointer is valid until the next change.
func (t *Trie[E]) Ref(owner, hash uint64, match func(E) bool) *E {
	l, i := t.mutableEntry(owner, hash, match)
	return &l.Entries[i]
}

// Remove removes the entry with this hash that match accepts, and reports whether it was
// present.
func (t *Trie[E]) Remove(owner, hash uint64, match func(E) bool) bool {
	if _, ok := t.Find(hash, match); !ok {
		return false
	}
	l, i := t.mutableEntry(owner, hash, match)
	var zero E
	l.count--
	l.setTag(i, uint8(l.tags[l.count/8]>>(l.count%8*8)))
	l.Entries[i] = l.Entries[l.count]
	l.Entries[l.count] = zero
	t.count--
	if t.count == 0 {
		t.root = nil
	}
	return true
}

// mutableEntry returns the leaf and index of a present entry, for owner to change.
func (t *Trie[E]) mutableEntry(owner, hash uint64, match func(E) bool) (*Leaf[E], int) {
	d := t.mutableRoot(owner)
	for shift := uint(0); ; shift += dirBits {
		i := hash >> shift & (dirSize - 1)
		if d.subdirectories != nil && d.subdirectories[i] != nil {
			d = d.mutableSubdirectory(owner, i)
			continue
		}
		l := d.mutableLeaf(owner, i)
		m := l.Matches(TagOf(hash))
		for !match(l.Entries[bits.TrailingZeros32(m)]) {
			m &= m - 1
		}
		return l, bits.TrailingZeros32(m)
	}
}

// Each calls yield with every entry until it returns false.
func (t *Trie[E]) Each(yield func(E) bool) {
	if t.root != nil {
		t.root.eachEntry(yield)
	}
}

func (d *directory[E]) eachEntry(yield func(E) bool) bool {
	for i := range d.leaves {
		if d.subdirectories != nil && d.subdirectories[i] != nil {
			if !d.subdirectories[i].eachEntry(yield) {
				return false
			}
			continue
		}
		l := d.leaves[i]
		if i>>l.localDepth != 0 {
			continue // shared: visited at the lowest of its pointers
		}
		for _, e := range l.Entries[:l.count] {
			if !yield(e) {
				return false
			}
		}
	}
	return true
}

// Len returns the number of entries.
func (t *Trie[E]) Len() int { return t.count }
