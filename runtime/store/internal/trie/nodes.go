// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package trie

import "math/bits"

// This file makes, copies, splits and deepens the nodes of a trie.

func newDir[E any](owner uint64, l *Leaf[E]) *dir[E] {
	d := &dir[E]{owner: owner}
	l.depth = 0
	for i := range d.leaves {
		d.leaves[i] = l
	}
	return d
}

// reservedFill is the fewest entries on average in the leaves that Reserve prepares. They have up to twice as many, as
// in a trie that has grown.
const reservedFill = leafSize * 9 / 16

// reserved returns a directory for n entries.
func reserved[E any](owner uint64, n int) *dir[E] {
	d := &dir[E]{owner: owner}
	if n >= 2*reservedFill*dirSize {
		d.subs = new([dirSize]*dir[E])
		for i := range d.subs {
			d.subs[i] = reserved[E](owner, n/dirSize)
		}
		return d
	}
	depth := bits.Len(uint(n/reservedFill)) - 1 //nolint:gosec // n is not negative
	for i := range 1 << depth {
		l := &Leaf[E]{owner: owner, depth: uint8(depth)} //nolint:gosec // at most dirBits
		for j := i; j < dirSize; j += 1 << depth {
			d.leaves[j] = l
		}
	}
	return d
}

// own returns the root for owner to change.
func (t *Trie[E]) own(owner uint64) *dir[E] {
	t.root = t.root.own(owner)
	return t.root
}

func (d *dir[E]) own(owner uint64) *dir[E] {
	if d.owner == owner {
		return d
	}
	if d.subs == nil {
		return &dir[E]{owner: owner, leaves: d.leaves}
	}
	c := &struct { // one allocation, not two
		dir[E]
		subs [dirSize]*dir[E]
	}{dir[E]{owner: owner, leaves: d.leaves}, *d.subs}
	c.dir.subs = &c.subs
	return &c.dir
}

func (d *dir[E]) ownSub(owner, i uint64) *dir[E] {
	d.subs[i] = d.subs[i].own(owner)
	return d.subs[i]
}

// ownLeaf returns leaf i for owner to change. If it copies the leaf, it updates all pointers
// that share it.
func (d *dir[E]) ownLeaf(owner, i uint64) *Leaf[E] {
	l := d.leaves[i]
	if l.owner == owner {
		return l
	}
	c := *l
	c.owner = owner
	step := uint64(1) << l.depth
	for j := i & (step - 1); j < dirSize; j += step {
		d.leaves[j] = &c
	}
	return &c
}

func (l *Leaf[E]) push(tag uint8, e E) {
	l.setTag(int(l.n), tag)
	l.Entries[l.n] = e
	l.n++
}

func (l *Leaf[E]) setTag(i int, tag uint8) {
	shift := i % 8 * 8
	l.tags[i/8] = l.tags[i/8]&^(0xff<<shift) | uint64(tag)<<shift
}

// split splits a full leaf by the next bit of the hashes.
func (d *dir[E]) split(owner, i uint64, shift uint, l *Leaf[E], hashOf func(E) uint64) {
	bit := uint(l.depth)
	halves := [2]*Leaf[E]{{owner: owner, depth: l.depth + 1}, {owner: owner, depth: l.depth + 1}}
	for _, e := range l.Entries[:l.n] {
		hash := hashOf(e)
		halves[hash>>(shift+bit)&1].push(TagOf(hash), e)
	}
	step := uint64(1) << bit
	for j := i & (step - 1); j < dirSize; j += step {
		d.leaves[j] = halves[j>>bit&1]
	}
}

// deepen moves a full leaf that shares all hash bits of its directory into a new directory below.
func (d *dir[E]) deepen(owner, i uint64, l *Leaf[E]) {
	if d.subs == nil {
		d.subs = new([dirSize]*dir[E])
	}
	d.subs[i], d.leaves[i] = newDir(owner, l), nil
}
