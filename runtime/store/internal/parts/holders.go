// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package parts

import "slices"

// Holders numbers the parts of a source from 1, and has the parts, by number, that hold the object of each slot. Usually
// it is one; several parts hold an object while they overlap. Number 0 holds the objects that are written
// without a part, and in the zero value all slots.
type Holders struct {
	ids     map[string]uint32
	freeIDs []uint32            // numbers to be reused
	holder  []uint32            // by slot: one of the holders; 0 beyond the end
	others  map[uint32][]uint32 // by slot: the other holders, at least one
}

// ID returns the number of a part. It assigns one to a new part.
func (o *Holders) ID(part string) uint32 {
	id, ok := o.ids[part]
	if ok {
		return id
	}
	if o.ids == nil {
		o.ids = map[string]uint32{}
	}
	if n := len(o.freeIDs); n > 0 {
		id, o.freeIDs = o.freeIDs[n-1], o.freeIDs[:n-1]
	} else {
		id = uint32(len(o.ids)) + 1 //nolint:gosec // parts fit
	}
	o.ids[part] = id
	return id
}

// End frees the number of a part that owns no slot.
func (o *Holders) End(part string) {
	o.freeIDs = append(o.freeIDs, o.ids[part])
	delete(o.ids, part)
}

func (o *Holders) at(slot uint32) uint32 {
	if int(slot) >= len(o.holder) {
		return 0
	}
	return o.holder[slot]
}

// Has reports whether part owns slot.
func (o *Holders) Has(slot, part uint32) bool {
	return o.at(slot) == part || slices.Contains(o.others[slot], part)
}

// Set makes part the only holder of slot.
func (o *Holders) Set(slot, part uint32) {
	for int(slot) >= len(o.holder) && part > 0 {
		o.holder = append(o.holder, 0)
	}
	if int(slot) < len(o.holder) {
		o.holder[slot] = part
	}
	delete(o.others, slot)
}

// Add makes part an holder of slot and reports whether there are others.
func (o *Holders) Add(slot, part uint32) (shared bool) {
	if !o.Has(slot, part) {
		if o.others == nil {
			o.others = map[uint32][]uint32{}
		}
		o.others[slot] = append(o.others[slot], part)
	}
	return len(o.others[slot]) > 0
}

// Remove removes part from the holders of slot, unless it is the last one, and reports whether
// the slot still has holders other than part.
func (o *Holders) Remove(slot, part uint32) (shared bool) {
	if !o.Has(slot, part) {
		return true
	}
	others := o.others[slot]
	if len(others) == 0 {
		return false
	}
	if o.at(slot) == part {
		last := len(others) - 1
		o.Set(slot, others[last])
		others = others[:last]
	} else {
		others = slices.DeleteFunc(others, func(s uint32) bool { return s == part })
	}
	o.others[slot] = others
	if len(others) == 0 {
		delete(o.others, slot)
	}
	if len(o.others) == 0 {
		o.others = nil // gives back the memory of a map that was large
	}
	return true
}
