// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package owners tracks which streams have the object in a slot.
package owners

import "slices"

// Owners has the streams, by number, that own each slot. Usually it is one; several streams own a
// slot while they overlap. In the zero value stream 0 owns all slots.
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

// Has reports whether stream owns slot.
func (o *Owners) Has(slot, stream uint32) bool {
	return o.at(slot) == stream || slices.Contains(o.more[slot], stream)
}

// Set makes stream the only owner of slot.
func (o *Owners) Set(slot, stream uint32) {
	for int(slot) >= len(o.first) && stream > 0 {
		o.first = append(o.first, 0)
	}
	if int(slot) < len(o.first) {
		o.first[slot] = stream
	}
	delete(o.more, slot)
}

// Add makes stream an owner of slot and reports whether there are others.
func (o *Owners) Add(slot, stream uint32) (shared bool) {
	if !o.Has(slot, stream) {
		if o.more == nil {
			o.more = map[uint32][]uint32{}
		}
		o.more[slot] = append(o.more[slot], stream)
	}
	return len(o.more[slot]) > 0
}

// Remove removes stream from the owners of slot, unless it is the last one, and reports
// whether other streams own the slot.
func (o *Owners) Remove(slot, stream uint32) (shared bool) {
	if !o.Has(slot, stream) {
		return true
	}
	more := o.more[slot]
	if len(more) == 0 {
		return false
	}
	if o.at(slot) == stream {
		last := len(more) - 1
		o.first = append(o.first, make([]uint32, max(0, int(slot)+1-len(o.first)))...)
		o.first[slot], more = more[last], more[:last]
	} else {
		more = slices.DeleteFunc(more, func(s uint32) bool { return s == stream })
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
		for _, stream := range old.more[slot] {
			o.Add(to[slot], stream)
		}
	}
}

// Shared returns the number of slots with several owners.
func (o *Owners) Shared() int { return len(o.more) }
