// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package protobuf

import (
	"errors"
	"reflect"

	"github.com/indexer-gen/indexer-gen/runtime/wire/internal/intern"
)

// shared wraps plan: objects share values of type t, maps, slices and pointers to messages, that are decoded from
// equal bytes. They must not be modified.
func (plan messagePlan) shared(t reflect.Type) messagePlan {
	place, decode := intern.Places.Next(), plan.decode
	plan.decode = func(d *Decoder, p, held pointer, tag uint64) error {
		if !d.share || d.skip != nil || tag&7 != plan.wire {
			return decode(d, p, held, tag)
		}
		if !p.elem().isNil() {
			return errMerge // Decode decodes again without sharing
		}
		start, outer := d.pos, d.end
		_, end, err := d.run(tag, plan.repeated)
		if err != nil {
			return decode(d, p, held, tag)
		}
		d.end = end
		defer func() { d.pos, d.end = end, outer }()
		text, size := d.text[start:end], d.size
		// Until a field has changed, prefer the held value, so that an unchanged object is recognized. Then
		// prefer the cached one, which takes no decoding.
		decoded := !d.changed && !held.isNil() && !held.elem().isNil()
		if decoded {
			if err := decode(d, p, held, tag); err != nil || p.elem() == held.elem() {
				return err
			}
		}
		found, foundSize, keep := d.cache.Value(place, text)
		if found.IsValid() {
			p.value(t).Set(found)
			d.size = size + foundSize
			return nil
		}
		if !decoded {
			if err := decode(d, p, held, tag); err != nil {
				return err
			}
		}
		if keep && (held.isNil() || p.elem() != held.elem()) {
			d.cache.Keep(place, text, p.value(t), d.size-size+len(text))
		}
		return nil
	}
	return plan
}

var errMerge = errors.New("a field comes twice")
