// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package protobuf

import (
	"bytes"
	"fmt"
	"reflect"

	"github.com/indexer-gen/indexer-gen/runtime/internal/intern"
)

// pointerFieldPlan makes a new value for each field of a scalar, and merges fields of a message.
func (m *Message) pointerFieldPlan(name string, t, whole reflect.Type) (messagePlan, error) {
	inner, err := m.planOf(name, t.Elem(), whole.Elem())
	if err == nil && inner.repeated {
		err = fmt.Errorf("a %v has no form in protobuf", t)
	}
	if err != nil {
		return inner, err
	}
	decode, match := inner.decode, inner.match
	inner.decode = func(d *Decoder, v reflect.Value, tag uint64) error {
		if v.IsNil() || inner.wire != lengthDelimited || t.Elem().Kind() == reflect.String {
			v.Set(reflect.New(t.Elem()))
		}
		return decode(d, v.Elem(), tag)
	}
	inner.match = func(d *Decoder, v reflect.Value, tag uint64) bool {
		return !v.IsNil() && messagePlan{decode: decode, match: match}.matches(d, v.Elem(), tag)
	}
	return inner, nil
}

// sliceFieldPlan decodes a run of elements into a slice of exactly their number.
func (m *Message) sliceFieldPlan(name string, t, whole reflect.Type) (messagePlan, error) {
	if t.Elem().Kind() == reflect.Uint8 && whole.Elem().Kind() == reflect.Uint8 {
		return messagePlan{wire: lengthDelimited, decode: decodeBytesField, match: matchBytesField}, nil
	}
	elem, err := m.planOf(name, t.Elem(), whole.Elem())
	p := messagePlan{wire: elem.wire, repeated: true, message: elem.message}
	p.decode = func(d *Decoder, v reflect.Value, tag uint64) error {
		if elem.wire != lengthDelimited && tag&7 == lengthDelimited {
			return decodePacked(d, v, elem)
		}
		d.skip = d.skip.Elements()
		below := v.Len()
		n := d.run(tag)
		v.Grow(n)
		v.SetLen(below + n)
		for i := range n {
			if err := elem.decode(d, v.Index(below+i), tag); err != nil {
				return err
			}
			if i < n-1 {
				_, _ = d.varint() // the same tag
			}
		}
		return nil
	}
	p.match = func(d *Decoder, v reflect.Value, tag uint64) bool {
		if elem.wire != lengthDelimited && tag&7 == lengthDelimited {
			return false
		}
		skip := d.skip.Elements()
		n := d.run(tag)
		if n != v.Len() {
			return false
		}
		for i := range n {
			d.skip = skip
			if !elem.matches(d, v.Index(i), tag) {
				return false
			}
			if i < n-1 {
				_, _ = d.varint()
			}
		}
		return true
	}
	return p, err
}

// decodePacked decodes numbers that are all in one field.
func decodePacked(d *Decoder, v reflect.Value, elem messagePlan) error {
	n, err := d.length()
	if err != nil {
		return err
	}
	for end := d.pos + n; d.pos < end; {
		value := reflect.New(v.Type().Elem()).Elem()
		if err := elem.decode(d, value, elem.wire); err != nil {
			return err
		}
		v.Set(reflect.Append(v, value))
	}
	return nil
}

// mapFieldPlan decodes a run of entries into a map.
func (m *Message) mapFieldPlan(name string, t, whole reflect.Type) (messagePlan, error) {
	stringMap := whole.Key().Kind() == reflect.String && whole.Elem().Kind() == reflect.String
	if t == reflect.TypeFor[map[string]string]() && stringMap {
		return stringMapFieldPlan(), nil
	}
	key, err := m.planOf(name, t.Key(), whole.Key())
	if err != nil {
		return key, err
	}
	elem, err := m.planOf(name, t.Elem(), whole.Elem())
	p := messagePlan{wire: lengthDelimited, repeated: true}
	p.decode = func(d *Decoder, v reflect.Value, tag uint64) error {
		skip := d.skip
		n := d.run(tag)
		if v.IsNil() {
			v.Set(reflect.MakeMapWithSize(t, n))
		}
		name, value := reflect.New(t.Key()).Elem(), reflect.New(t.Elem()).Elem()
		empty := reflect.Zero(t.Elem())
		if t.Elem().Kind() == reflect.Slice {
			empty = reflect.MakeSlice(t.Elem(), 0, 0) // not nil, as in generated code
		}
		return d.entries(n, tag, func(entry *mapEntry) error {
			name.SetZero()
			value.Set(empty)
			if err := entry.each(d, func(number int32) error {
				if number == 1 {
					return key.decode(d, name, key.wire)
				}
				value.Set(empty)
				d.skip = nil
				if skip != nil && t.Key().Kind() == reflect.String {
					d.skip = skip.Member([]byte(name.String()))
				}
				return elem.decode(d, value, elem.wire)
			}); err != nil {
				return err
			}
			if skip == nil || !skip.Member([]byte(name.String())).Whole() {
				v.SetMapIndex(name, value)
			}
			return nil
		})
	}
	return p, err
}

// mapEntry is an entry of a map, which is a message with a key and a value.
type mapEntry struct{ end int }

// entries reads n entries, the tag of the first of which has been read.
func (d *Decoder) entries(n int, tag uint64, each func(*mapEntry) error) error {
	var entry mapEntry
	for i := range n {
		if tag&7 != lengthDelimited {
			return errWireType
		}
		size, err := d.length()
		if err != nil {
			return err
		}
		entry.end = d.pos + size
		if err := each(&entry); err != nil {
			return err
		}
		d.pos = entry.end
		if i < n-1 {
			_, _ = d.varint() // the same tag
		}
	}
	return nil
}

// each calls decode for each key, number 1, and each value, number 2. Like generated code it ignores
// their wire types, and lets them reach beyond the entry but not beyond the message.
func (e *mapEntry) each(d *Decoder, decode func(number int32) error) error {
	for d.pos < e.end {
		tag, err := d.varint()
		if err != nil {
			return err
		}
		switch number := int32(tag >> 3); number {
		case 1, 2:
			err = decode(number)
		default:
			outer := d.end
			d.end = e.end
			err = d.skipField(tag)
			d.end = outer
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// stringEntry reads the key and the value of an entry.
func (e *mapEntry) strings(d *Decoder) (key, value []byte, err error) {
	err = e.each(d, func(number int32) (err error) {
		if number == 1 {
			key, err = d.bytes()
		} else {
			value, err = d.bytes()
		}
		return err
	})
	return key, value, err
}

// stringMapFieldPlan decodes labels, annotations and the like.
func stringMapFieldPlan() messagePlan {
	keys, values := intern.Places.Next(), intern.Places.Next()
	return messagePlan{wire: lengthDelimited, repeated: true, match: matchStringMapField,
		decode: func(d *Decoder, v reflect.Value, tag uint64) error {
			into := v.Addr().Interface().(*map[string]string)
			n := d.run(tag)
			if *into == nil {
				*into = make(map[string]string, n)
			}
			return d.entries(n, tag, func(entry *mapEntry) error {
				key, value, err := entry.strings(d)
				if err == nil && !d.skip.Member(key).Whole() {
					(*into)[d.cache.String(keys, key)] = d.cache.String(values, value)
				}
				return err
			})
		},
	}
}

// matchStringMapField gives up on keys that do not ascend, as they do in all that generated code
// writes: so it knows that no key comes twice.
func matchStringMapField(d *Decoder, v reflect.Value, tag uint64) bool {
	held := *v.Addr().Interface().(*map[string]string)
	n := 0
	var last []byte
	err := d.entries(d.run(tag), tag, func(entry *mapEntry) error {
		key, value, err := entry.strings(d)
		if err != nil || d.skip.Member(key).Whole() {
			return err
		}
		have, ok := held[string(key)]
		if !ok || have != string(value) || n > 0 && bytes.Compare(last, key) >= 0 {
			return errDiffers
		}
		last = key
		n++
		return nil
	})
	return err == nil && held != nil && n == len(held)
}
