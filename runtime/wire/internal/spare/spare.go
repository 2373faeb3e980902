// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package spare keeps the values that decoders decode into before they know what the object keeps.
package spare

import (
	"reflect"

	"github.com/indexer-gen/indexer-gen/runtime/wire/internal/places"
)

const (
	maxValue = 64 << 10 // bytes of one value
	maxPool  = 1 << 20  // bytes of all values in a pool
	// overhead is what keeping a value takes in addition.
	overhead = 64
)

// Places numbers the places in types that have spare values.
var Places places.Counter

// Place is a place in a type whose values are of type t.
type Place struct {
	id int
	t  reflect.Type
}

// At returns a new place.
func At(t reflect.Type) Place { return Place{Places.Next(), t} }

// Pool holds the spare values of one decoder. The zero value is empty. A Pool must not be used
// concurrently.
type Pool struct {
	values places.Map[[]reflect.Value]
	bytes  int
}

// Take returns a pointer to a zero value or, for a slice, to an empty one.
func (p *Pool) Take(at Place) reflect.Value {
	all := p.values.At(at.id)
	if last := len(*all) - 1; last >= 0 {
		value := (*all)[last]
		*all = (*all)[:last]
		p.bytes -= at.size(value)
		return value
	}
	return reflect.New(at.t)
}

// Put takes back a pointer from Take. The value must be zero; the elements of a slice are cleared. Without
// room the pool drops all values, because they may come from one unusual object.
func (p *Pool) Put(at Place, value reflect.Value) {
	if at.t.Kind() == reflect.Slice {
		value.Elem().Clear()
		value.Elem().SetLen(0)
	}
	size := at.size(value)
	if size > maxValue {
		return
	}
	if p.bytes+size > maxPool {
		p.values.Clear()
		p.bytes = 0
	}
	p.bytes += size
	all := p.values.At(at.id)
	*all = append(*all, value)
}

// size returns the memory of a value in bytes.
func (at Place) size(value reflect.Value) int {
	if at.t.Kind() == reflect.Slice {
		return value.Elem().Cap()*int(at.t.Elem().Size()) + overhead
	}
	return int(at.t.Size()) + overhead
}
