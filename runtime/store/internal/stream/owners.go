// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package stream

import "slices"

// Owners has the sources, by number, that own each slot. Usually it is one; several sources own a
// slot while they overlap. In the zero value source 0 owns all slots.
type Owners struct {
	first []uint32            // by slot: one of the owners; 0 beyond the end
	more  map[uint32][]uint32 // by slot: the other owners, at least one
}

func (o *Owners) at(slot uint32) uint32 {
	if int(slot) >= len(o.first) {
		return 0
	}
	return o.first[slot]
}

// Has reports whether source owns slot.
func (o *Owners) Has(slot, source uint32) bool {
	return o.at(slot) == source || slices.Contains(o.more[slot], source)
}

// Set makes source the only owner of slot.
func (o *Owners) Set(slot, source uint32) {
	for int(slot) >= len(o.first) && source > 0 {
		o.first = append(o.first, 0)
	}
	if int(slot) < len(o.first) {
		o.first[slot] = source
	}
	delete(o.more, slot)
}

// Add makes source an owner of slot and reports whether there are others.
func (o *Owners) Add(slot, source uint32) (shared bool) {
	if !o.Has(slot, source) {
		if o.more == nil {
			o.more = map[uint32][]uint32{}
		}
		o.more[slot] = append(o.more[slot], source)
	}
	return len(o.more[slot]) > 0
}

// Remove removes source from the owners of slot, unless it is the last one, and reports whether
// the slot still has owners other than source.
func (o *Owners) Remove(slot, source uint32) (shared bool) {
	if !o.Has(slot, source) {
		return true
	}
	more := o.more[slot]
	if len(more) == 0 {
		return false
	}
	if o.at(slot) == source {
		last := len(more) - 1
		o.Set(slot, more[last])
		more = more[:last]
	} else {
		more = slices.DeleteFunc(more, func(s uint32) bool { return s == source })
	}
	o.more[slot] = more
	if len(more) == 0 {
		delete(o.more, slot)
	}
	if len(o.more) == 0 {
		o.more = nil // gives back the memory of a map that was large
	}
	return true
}

// Renumber moves the owners of each slot in live to the slot in to, by old slot.
func (o *Owners) Renumber(live, to []uint32) {
	old := *o
	*o = Owners{}
	for _, slot := range live {
		o.Set(to[slot], old.at(slot))
		for _, source := range old.more[slot] {
			o.Add(to[slot], source)
		}
	}
}
