// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package protobuf

import (
	"reflect"

	"github.com/indexer-gen/indexer-gen/runtime/internal/places"
)

// While an object is decoded, the functions that decode a value get a pointer to the value at the same
// place in the cached object, held. They take from it what is equal: strings, whole lists, maps, and
// messages behind pointers. So a message equals the held one if its memory does, which takes one
// comparison. In rare cases, such as an empty string that is not zero, equal messages differ in memory.
// Then they are not shared.

// spares keeps scratch values of one place in a type, messages and slices, for later fields and objects.
type spares struct {
	place int
	t     reflect.Type
}

var sparePlaces places.Counter

func sparesOf(t reflect.Type) spares { return spares{sparePlaces.Next(), t} }

// take returns a pointer to a zero value, or to an empty slice.
func (s spares) take(d *Decoder) reflect.Value {
	all := d.spares.At(s.place)
	if last := len(*all) - 1; last >= 0 {
		value := (*all)[last]
		*all = (*all)[:last]
		d.spareBytes -= s.size(value)
		return value
	}
	return reflect.New(s.t)
}

// put takes back a value, which must be zero or an empty slice. Without room it drops all values, because they
// may come from one unusual object.
func (s spares) put(d *Decoder, value reflect.Value) {
	size := s.size(value)
	if size > maxSpare {
		return
	}
	if d.spareBytes+size > maxSpares {
		d.spares.Clear()
		d.spareBytes = 0
	}
	d.spareBytes += size
	all := d.spares.At(s.place)
	*all = append(*all, value)
}

const (
	maxSpare  = 64 << 10 // bytes of one value
	maxSpares = 1 << 20  // bytes of all values that a decoder keeps
	// spareOverhead is what keeping a value takes in addition.
	spareOverhead = 64
)

// size returns the memory of a value in bytes.
func (s spares) size(value reflect.Value) int {
	if s.t.Kind() == reflect.Slice {
		return value.Elem().Cap()*int(s.t.Elem().Size()) + spareOverhead
	}
	return int(s.t.Size()) + spareOverhead
}
