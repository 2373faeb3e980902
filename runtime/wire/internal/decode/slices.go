// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package decode

import (
	"reflect"

	"github.com/indexer-gen/indexer-gen/runtime/wire/internal/intern"
	"github.com/indexer-gen/indexer-gen/runtime/wire/internal/spare"
)

// slicePlan decodes an array into a slice without spare capacity, since two programs that append to a shared
// slice must not write to the same memory. The elements are decoded into a spare slice first and then
// copied.
func slicePlan(t reflect.Type) plan {
	if t.Elem().Kind() == reflect.Uint8 {
		return plan{decode: decodeByReference} // base64
	}
	if t == reflect.TypeFor[[]string]() {
		return plan{stringsPlan(), matchStrings}
	}
	elem := planAt(t.Elem())
	spares := spare.At(t)
	size := int(t.Elem().Size())
	take := func(d *Decoder, v reflect.Value) error {
		more, null, err := d.openArray(v)
		if !more || null || err != nil {
			return err
		}
		skip := d.skip
		below := skip.Elements()
		taken := d.spares.Take(spares)
		elements := taken.Elem()
		n := 0
		for ; more && err == nil; n++ {
			if n == elements.Cap() {
				elements.Grow(max(n, firstCap))
			}
			elements.SetLen(n + 1)
			d.skip = below
			if err = elem.decode(d, elements.Index(n)); err != nil {
				return d.inElement(n, err)
			}
			more, err = d.more(']')
		}
		d.skip = skip
		v.Grow(n)
		v.SetLen(n)
		v.SetCap(n)
		d.size += n * size
		reflect.Copy(v, elements)
		d.spares.Put(spares, taken)
		return err
	}
	return plan{take, func(d *Decoder, v reflect.Value) bool { return d.matchSlice(v, elem.matches) }}
}

// openArray reads the start of an array, or null. An empty array makes v empty and not nil.
func (d *Decoder) openArray(v reflect.Value) (more, null bool, err error) {
	if null, err := d.null(); null || err != nil {
		return false, null, err
	}
	if d.text[d.pos] != '[' {
		return false, false, ErrOdd
	}
	more, err = d.open(']')
	if err == nil && !more {
		v.Set(reflect.MakeSlice(v.Type(), 0, 0))
	}
	return more, false, err
}

const (
	firstCap = 8   // of a spare slice
	maxTexts = 256 // the capacity of the longest list of strings that is kept
)

// stringsPlan is slicePlan for strings.
func stringsPlan() func(*Decoder, reflect.Value) error {
	id := intern.Places.Next()
	return func(d *Decoder, v reflect.Value) error {
		more, null, err := d.openArray(v)
		if !more || null || err != nil {
			return err
		}
		texts := d.texts[:0]
		for more && err == nil {
			var text string
			if null, err = d.null(); err == nil && !null {
				var raw []byte
				if raw, err = d.quoted(); err == nil {
					text = d.cache.String(id, raw)
				}
			}
			if err != nil {
				return d.inElement(len(texts), err)
			}
			texts = append(texts, text)
			more, err = d.more(']')
		}
		if err != nil {
			return err
		}
		*v.Addr().Interface().(*[]string) = append(make([]string, 0, len(texts)), texts...)
		d.size += len(texts) * int(reflect.TypeFor[string]().Size())
		d.keepTexts(texts)
		return nil
	}
}

// keepTexts keeps the slice, without the strings, for the next use.
func (d *Decoder) keepTexts(texts []string) {
	if cap(texts) <= maxTexts {
		clear(texts)
		d.texts = texts[:0]
	}
}
