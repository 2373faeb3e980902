// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package parts

import "slices"

// Holders numbers the parts of a source from 1, and has the parts, by number, that hold the object of each slot. Usually
// it is one; several parts hold an object while they overlap. Number 0 holds the objects that are written
// without a part, and in the zero value all slots.
type Holders struct {
	idOfPart        map[string]uint32
	freeIDs         []uint32            // numbers to be reused
	oneHolderBySlot []uint32            // by slot: one of the holders; 0 beyond the end
	otherHolders    map[uint32][]uint32 // by slot: the other holders, at least one
}

// ID returns the number of a part. It assigns one to a new part.
func (o *Holders) ID(part string) uint32 {
	id, ok := o.idOfPart[part]
	if ok {
		return id
	}
	if o.idOfPart == nil {
		o.idOfPart = map[string]uint32{}
	}
	if n := len(o.freeIDs); n > 0 {
		id, o.freeIDs = o.freeIDs[n-1], o.freeIDs[:n-1]
	} else {
		id = uint32(len(o.idOfPart)) + 1 //nolint:gosec // parts fit
	}
	o.idOfPart[part] = id
	return id
}

// End frees the number of a part that owns no slot.
func (o *Holders) End(part string) {
	o.freeIDs = append(o.freeIDs, o.idOfPart[part])
	delete(o.idOfPart, part)
}

func (o *Holders) oneHolderOf(slot uint32) uint32 {
	if int(slot) >= len(o.oneHolderBySlot) {
		return 0
	}
	return o.oneHolderBySlot[slot]
}

// Has reports whether part owns slot.
func (o *Holders) Has(slot, part uint32) bool {
	return o.oneHolderOf(slot) == part || slices.Contains(o.otherHolders[slot], part)
}

// Set makes part the only holder of slot.
func (o *Holders) Set(slot, part uint32) {
	for int(slot) >= len(o.oneHolderBySlot) && part > 0 {
		o.oneHolderBySlot = append(o.oneHolderBySlot, 0)
	}
	if int(slot) < len(o.oneHolderBySlot) {
		o.oneHolderBySlot[slot] = part
	}
	delete(o.otherHolders, slot)
}

// Add makes part an holder of slot and reports whether there are others.
func (o *Holders) Add(slot, part uint32) (shared bool) {
	if !o.Has(slot, part) {
		if o.otherHolders == nil {
			o.otherHolders = map[uint32][]uint32{}
		}
		o.otherHolders[slot] = append(o.otherHolders[slot], part)
	}
	return len(o.otherHolders[slot]) > 0
}

// Remove removes part from the holders of slot, unless it is the last one, and reports whether
// the slot still has holders other than part.
func (o *Holders) Remove(slot, part uint32) (shared bool) {
	if !o.Has(slot, part) {
		return true
	}
	others := o.otherHolders[slot]
	if len(others) == 0 {
		return false
	}
	if o.oneHolderOf(slot) == part {
		last := len(others) - 1
		o.Set(slot, others[last])
		others = others[:last]
	} else {
		others = slices.DeleteFunc(others, func(s uint32) bool { return s == part })
	}
	o.otherHolders[slot] = others
	if len(others) == 0 {
		delete(o.otherHolders, slot)
	}
	if len(o.otherHolders) == 0 {
		o.otherHolders = nil // gives back the memory of a map that was large
	}
	return true
}
