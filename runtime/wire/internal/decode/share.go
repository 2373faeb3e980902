// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package decode

import (
	"reflect"

	"github.com/indexer-gen/indexer-gen/runtime/wire/internal/intern"
)

// foreignSize estimates how many bytes of memory other decoders take for a byte of text.
const foreignSize = 16

// shared wraps the plan of a map, slice or pointer: objects share values that are decoded from equal text.
// They must not be modified.
func (p plan) shared() plan {
	place, decode := intern.Places.Next(), p.decode
	p.decode = func(d *Decoder, v reflect.Value) error {
		if !d.options.Share || d.skip != nil || !d.cache.Worth(place) {
			return decode(d, v)
		}
		text, size := d.peek(intern.MaxValue+1), d.size
		found, foundSize, keep := d.cache.Value(place, text)
		if found.IsValid() {
			v.Set(found)
			d.pos += len(text)
			d.size = size + foundSize
			return nil
		}
		err := decode(d, v)
		if err == nil && keep {
			d.cache.Keep(place, text, v, d.size-size+len(text))
		}
		return err
	}
	return p
}

// peek returns the text of the current value without consuming it, or the first bytes if it is longer than
// most or invalid.
func (d *Decoder) peek(most int) []byte {
	whole, start, depth := d.text, d.pos, d.depth
	d.text = whole[:min(len(whole), start+most)]
	if d.skipValue() != nil {
		d.pos = len(d.text)
	}
	text := d.text[start:d.pos:d.pos]
	d.text, d.pos, d.depth = whole, start, depth
	return text
}
