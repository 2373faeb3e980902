// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package trie

import "math/bits"

// This file makes, copies, splits and deepens the nodes of a trie.

func newDirectory[E any](owner uint64, l *Leaf[E]) *directory[E] {
	d := &directory[E]{owner: owner}
	l.localDepth = 0
	for i := range d.leaves {
		d.leaves[i] = l
	}
	return d
}

// reservedFill is the fewest entries on average in the leaves that Reserve prepares. They have up to twice as many, as
// in a trie that has grown.
const reservedFill = leafSize * 9 / 16

// newSizedDirectory returns a directory for n entries.
func newSizedDirectory[E any](owner uint64, n int) *directory[E] {
	d := &directory[E]{owner: owner}
	if n >= 2*reservedFill*dirSize {
		d.subdirectories = new([dirSize]*directory[E])
		for i := range d.subdirectories {
			d.subdirectories[i] = newSizedDirectory[E](owner, n/dirSize)
		}
		return d
	}
	depth := bits.Len(uint(n/reservedFill)) - 1 //nolint:gosec // n is not negative
	for i := range 1 << depth {
		l := &Leaf[E]{owner: owner, localDepth: uint8(depth)} //nolint:gosec // at most dirBits
		for j := i; j < dirSize; j += 1 << depth {
			d.leaves[j] = l
		}
	}
	return d
}

// mutableRoot returns the root for owner to change.
func (t *Trie[E]) mutableRoot(owner uint64) *directory[E] {
	t.root = t.root.mutable(owner)
	return t.root
}

func (d *directory[E]) mutable(owner uint64) *directory[E] {
	if d.owner == owner {
		return d
	}
	if d.subdirectories == nil {
		return &directory[E]{owner: owner, leaves: d.leaves}
	}
	c := &struct { // one allocation, not two
		directory[E]
		subs [dirSize]*directory[E]
	}{directory[E]{owner: owner, leaves: d.leaves}, *d.subdirectories}
	c.directory.subdirectories = &c.subs
	return &c.directory
}

func (d *directory[E]) mutableSubdirectory(owner, i uint64) *directory[E] {
	d.subdirectories[i] = d.subdirectories[i].mutable(owner)
	return d.subdirectories[i]
}

// mutableLeaf returns leaf i for owner to change. If it copies the leaf, it updates all pointers
// that share it.
func (d *directory[E]) mutableLeaf(owner, i uint64) *Leaf[E] {
	l := d.leaves[i]
	if l.owner == owner {
		return l
	}
	c := *l
	c.owner = owner
	step := uint64(1) << l.localDepth
	for j := i & (step - 1); j < dirSize; j += step {
		d.leaves[j] = &c
	}
	return &c
}

func (l *Leaf[E]) appendEntry(tag uint8, e E) {
	l.setTag(int(l.count), tag)
	l.Entries[l.count] = e
	l.count++
}

func (l *Leaf[E]) setTag(i int, tag uint8) {
	shift := i % 8 * 8
	l.tags[i/8] = l.tags[i/8]&^(0xff<<shift) | uint64(tag)<<shift
}

// splitLeaf splits a full leaf by the next bit of the hashes.
func (d *directory[E]) splitLeaf(owner, i uint64, shift uint, l *Leaf[E], hashOf func(E) uint64) {
	bit := uint(l.localDepth)
	halves := [2]*Leaf[E]{{owner: owner, localDepth: l.localDepth + 1}, {owner: owner, localDepth: l.localDepth + 1}}
	for _, e := range l.Entries[:l.count] {
		hash := hashOf(e)
		halves[hash>>(shift+bit)&1].appendEntry(TagOf(hash), e)
	}
	step := uint64(1) << bit
	for j := i & (step - 1); j < dirSize; j += step {
		d.leaves[j] = halves[j>>bit&1]
	}
}

// replaceLeafByDirectory moves a full leaf that shares all hash bits of its directory into a new directory below.
func (d *directory[E]) replaceLeafByDirectory(owner, i uint64, l *Leaf[E]) {
	if d.subdirectories == nil {
		d.subdirectories = new([dirSize]*directory[E])
	}
	d.subdirectories[i], d.leaves[i] = newDirectory(owner, l), nil
}
