// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package decode

import "reflect"

// decodeUntyped decodes into an empty interface what such a value holds: maps,
// slices, strings, booleans, int64 or float64.
func decodeUntyped(d *Decoder, v reflect.Value) error {
	if d.skip != nil {
		return decodeByReference(d, v)
	}
	value, err := d.untyped()
	if err == nil && value != nil {
		v.Set(reflect.ValueOf(value))
	}
	return err
}

// untypedSite is the site of all strings without a type.
var untypedSite = newSite()

func (d *Decoder) untyped() (any, error) {
	switch d.text[d.pos] {
	case '{':
		return d.untypedMap()
	case '[':
		return d.untypedSlice()
	case '"':
		text, err := d.quoted()
		if err != nil {
			return nil, err
		}
		return d.intern(untypedSite, text), nil
	case 't':
		return true, d.literal("true")
	case 'f':
		return false, d.literal("false")
	case 'n':
		return nil, d.literal("null")
	default:
		return d.untypedNumber()
	}
}

func (d *Decoder) untypedMap() (any, error) {
	out := map[string]any{}
	more, err := d.open('}')
	for more && err == nil {
		name, err := d.name()
		if err != nil {
			return nil, err
		}
		key := d.intern(untypedSite, name)
		value, err := d.untyped()
		if err != nil {
			return nil, err
		}
		out[key] = value
		if more, err = d.more('}'); err != nil {
			return nil, err
		}
	}
	return out, err
}

func (d *Decoder) untypedSlice() (any, error) {
	out := []any{}
	more, err := d.open(']')
	for more && err == nil {
		value, err := d.untyped()
		if err != nil {
			return nil, err
		}
		out = append(out, value)
		if more, err = d.more(']'); err != nil {
			return nil, err
		}
	}
	return out, err
}
