// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package protobuf

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"

	"github.com/indexer-gen/indexer-gen/runtime/wire/internal/intern"
	"github.com/indexer-gen/indexer-gen/runtime/wire/internal/spare"
)

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
	if err == nil && elem.repeated {
		err = fmt.Errorf("a %v has no form in protobuf", t)
	}
	f := &mapField{t: t, key: key, elem: elem, names: spare.At(t.Key()), values: spare.At(t.Elem())}
	return messagePlan{wire: lengthDelimited, repeated: true, decode: f.decode}, err
}

// mapEntry is an entry of a map, which is a message with a key and a value.
type mapEntry struct{ end int }

// entries reads n entries. The tag of the first has been read.
func (d *Decoder) entries(n int, tag uint64, each func(mapEntry) error) error {
	for i := range n {
		if tag&7 != lengthDelimited {
			return errWireType
		}
		size, err := d.length()
		if err != nil {
			return err
		}
		entry := mapEntry{d.pos + size}
		if err := each(entry); err != nil {
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
func (e mapEntry) each(d *Decoder, decode func(number int32) error) error {
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

// strings reads the key and the value of an entry.
func (e mapEntry) strings(d *Decoder) (key, value []byte, err error) {
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
	return messagePlan{wire: lengthDelimited, repeated: true,
		decode: func(d *Decoder, p, held pointer, tag uint64) error {
			n, _, _ := d.run(tag, true)
			into := as[map[string]string](p)
			d.size += intern.SizeOfMap(reflect.TypeFor[map[string]string](), n)
			if !held.isNil() {
				start, before := d.pos, *as[map[string]string](held)
				if d.isStringMap(before, n, tag) {
					*into = before
					return nil
				}
				d.pos = start
			}
			if *into == nil {
				*into = make(map[string]string, n)
			}
			return d.entries(n, tag, func(entry mapEntry) error {
				key, value, err := entry.strings(d)
				if err == nil && !d.skip.Member(key).Whole() {
					(*into)[d.cache.String(keys, key)] = d.cache.String(values, value)
				}
				return err
			})
		},
	}
}

var errDiffers = errors.New("a map differs")

// isStringMap reads n entries and reports whether they are those of held. It requires ascending keys,
// which generated code writes, so no key can come twice.
func (d *Decoder) isStringMap(held map[string]string, n int, tag uint64) bool {
	found := 0
	var last []byte
	err := d.entries(n, tag, func(entry mapEntry) error {
		key, value, err := entry.strings(d)
		if err != nil || d.skip.Member(key).Whole() {
			return err
		}
		have, ok := held[string(key)]
		if !ok || have != string(value) || found > 0 && bytes.Compare(last, key) >= 0 {
			return errDiffers
		}
		last = key
		found++
		return nil
	})
	return err == nil && held != nil && found == len(held)
}
