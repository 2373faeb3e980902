// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package protobuf

import (
	"errors"
	"reflect"

	"github.com/indexer-gen/indexer-gen/runtime/internal/fields"
)

// errDiffers ends a comparison.
var errDiffers = errors.New("the values differ")

// Match reports whether decoding data would give the object that held points to. It allocates little.
// False may also mean that data is unusual.
func (d *Decoder) Match(m *Message, data []byte, held any) bool {
	d.begin(data)
	same := m.match(d, reflect.ValueOf(held).Elem())
	d.text = nil
	return same
}

// matches reads a value and compares it with v.
func (p messagePlan) matches(d *Decoder, v reflect.Value, tag uint64) bool {
	if p.match != nil {
		return p.match(d, v, tag)
	}
	decoded := reflect.New(v.Type()).Elem()
	return p.decode(d, decoded, tag) == nil && reflect.DeepEqual(decoded.Interface(), v.Interface())
}

func (m *Message) match(d *Decoder, v reflect.Value) bool {
	if d.depth++; d.depth > maxDepth || len(m.fields) > fields.MaxOfSet {
		return false
	}
	var seen fields.Set
	skip := d.skip
	for d.pos < d.end {
		tag, err := d.tag()
		if err != nil {
			return false
		}
		f, i := m.find(int32(tag >> 3))
		if f == nil || f.below(skip).Whole() {
			if d.skipField(tag) != nil {
				return false
			}
			continue
		}
		if seen.Has(i) {
			return false // the second is merged with the first
		}
		seen.Add(i)
		d.skip = f.below(skip)
		if f.part != nil {
			if !f.part.matchField(d, v, tag) {
				return false
			}
		} else if !f.plan.matches(d, f.in(v), tag) {
			return false
		}
	}
	d.skip = skip
	d.depth--
	return m.restIsZero(v, &seen)
}

func (m *Message) matchField(d *Decoder, v reflect.Value, tag uint64) bool {
	if tag&7 != lengthDelimited {
		return false
	}
	n, err := d.length()
	if err != nil {
		return false
	}
	outer := d.end
	d.end = d.pos + n
	same := m.match(d, v)
	d.end = outer
	return same
}

// restIsZero reports whether the fields that are not in seen are zero.
func (m *Message) restIsZero(v reflect.Value, seen *fields.Set) bool {
	for i := range m.fields {
		f := &m.fields[i]
		switch {
		case seen.Has(i):
		case f.part != nil:
			if !f.part.restIsZero(v, &fields.Set{}) {
				return false
			}
		case !f.in(v).IsZero():
			return false
		}
	}
	for _, index := range m.others {
		if !v.FieldByIndex(index).IsZero() {
			return false
		}
	}
	return true
}
