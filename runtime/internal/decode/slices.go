// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package decode

import (
	"encoding/base64"
	"reflect"

	"github.com/indexer-gen/indexer-gen/runtime/internal/intern"
	"github.com/indexer-gen/indexer-gen/runtime/internal/places"
)

// scratchIDs numbers the slices in types.
var scratchIDs places.Counter

// slicePlan decodes an array into a slice without spare capacity, since two programs that append to a shared
// slice must not write to the same memory. The elements are decoded into scratch memory first and then
// copied.
func slicePlan(t reflect.Type) plan {
	if t.Elem().Kind() == reflect.Uint8 {
		if p := reflect.PointerTo(t.Elem()); p.Implements(jsonUnmarshaler) || p.Implements(textUnmarshaler) {
			return plan{decode: decodeByReference}
		}
		return plan{decode: decodeBytes}
	}
	if t == reflect.TypeFor[[]string]() {
		return plan{stringsPlan(), matchStrings}
	}
	elem := planAt(t.Elem())
	id := scratchIDs.Next()
	size := int(t.Elem().Size())
	take := func(d *Decoder, v reflect.Value) error {
		more, null, err := d.openArray(v)
		if !more || null || err != nil {
			return err
		}
		skip := d.skip
		below := skip.Elements()
		scratch := d.takeScratch(id, t, size)
		n := 0
		for more && err == nil {
			if n == scratch.Len() {
				larger := reflect.MakeSlice(t, 2*n, 2*n)
				reflect.Copy(larger, scratch)
				scratch = larger
			}
			d.skip = below
			if err = elem.decode(d, scratch.Index(n)); err != nil {
				return err
			}
			n++
			more, err = d.more(']')
		}
		d.skip = skip
		v.Grow(n)
		v.SetLen(n)
		v.SetCap(n)
		d.size += n * size
		reflect.Copy(v, scratch)
		for i := range n {
			scratch.Index(i).SetZero()
		}
		d.putScratch(id, scratch, size)
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
	firstScratch = 8
	// mostScratch is the length of the longest slice that is kept.
	mostScratch = 256
	// scratchBytes limits the memory of all kept slices, including scratchHeader for each.
	scratchBytes  = 1 << 20
	scratchHeader = 64
)

// keepScratch reports whether to keep a buffer of size bytes. Without room it drops all kept buffers,
// because they may come from one unusual object.
func (d *Decoder) keepScratch(size int) bool {
	if size > scratchBytes {
		return false
	}
	if d.scratch+size > scratchBytes {
		d.scratches.Clear()
		d.scratch = 0
	}
	d.scratch += size
	return true
}

// takeScratch returns a slice of zero elements. A plan may use several at once, if elements contain
// slices of their own type.
func (d *Decoder) takeScratch(id int, t reflect.Type, size int) reflect.Value {
	kept := d.scratches.At(id)
	if n := len(*kept); n > 0 {
		taken := (*kept)[n-1]
		*kept = (*kept)[:n-1]
		d.scratch -= taken.Len()*size + scratchHeader
		return taken
	}
	return reflect.MakeSlice(t, firstScratch, firstScratch)
}

func (d *Decoder) putScratch(id int, scratch reflect.Value, size int) {
	if scratch.Len() <= mostScratch && d.keepScratch(scratch.Len()*size+scratchHeader) {
		kept := d.scratches.At(id)
		*kept = append(*kept, scratch)
	}
}

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
				return err
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
	if cap(texts) <= mostScratch {
		clear(texts)
		d.texts = texts[:0]
	}
}

// decodeBytes decodes base64.
func decodeBytes(d *Decoder, v reflect.Value) error {
	if null, err := d.null(); null || err != nil {
		return err
	}
	if d.text[d.pos] != '"' {
		return ErrOdd
	}
	text, err := d.quoted()
	if err != nil {
		return err
	}
	out := make([]byte, base64.StdEncoding.DecodedLen(len(text)))
	n, err := base64.StdEncoding.Decode(out, text)
	if err != nil {
		return ErrOdd
	}
	v.SetBytes(out[:n])
	return nil
}
