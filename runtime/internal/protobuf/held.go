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

// spares keeps values for the next time that a place in a type is decoded: messages in whose place the
// held one is used, and slices that were copied.
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
		return value
	}
	return reflect.New(s.t)
}

// put takes back a value, which must be zero or an empty slice.
func (s spares) put(d *Decoder, value reflect.Value) {
	all := d.spares.At(s.place)
	*all = append(*all, value)
}
