// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package protobuf

import (
	"errors"
	"reflect"

	"github.com/indexer-gen/indexer-gen/runtime/internal/intern"
)

// minShared is the length of the shortest text whose value is shared. A lookup costs as much as decoding
// a few fields.
const minShared = 8

// shared makes objects share equal values of p: maps, slices, and pointers to messages. They must not be
// modified then.
func (p messagePlan) shared() messagePlan {
	place, decode := intern.Places.Next(), p.decode
	p.decode = func(d *Decoder, v reflect.Value, tag uint64) error {
		if !d.share || d.skip != nil {
			return decode(d, v, tag)
		}
		if !v.IsZero() {
			return errMerge // Decode decodes again without sharing
		}
		start, outer := d.pos, d.end
		end, err := d.after(tag, p.repeated)
		if err != nil || end-start < minShared {
			return decode(d, v, tag)
		}
		d.end = end
		err = d.cache.Share(place, v, d.text[start:end], func() (int, error) {
			err := decode(d, v, tag)
			return sizeOf(v, end-start), err
		})
		d.pos, d.end = end, outer
		return err
	}
	return p
}

var errMerge = errors.New("a field comes twice")

// sizeOf estimates the memory of v, which was decoded from size bytes.
func sizeOf(v reflect.Value, size int) int {
	switch v.Kind() {
	case reflect.Map:
		return size + intern.SizeOfMap(v.Type(), v.Len())
	case reflect.Slice:
		return 2*size + v.Len()*int(v.Type().Elem().Size())
	default:
		return 2*size + int(v.Type().Elem().Size())
	}
}
