// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package protobuf

import (
	"reflect"

	"github.com/indexer-gen/indexer-gen/runtime/wire/internal/intern"
	"github.com/indexer-gen/indexer-gen/runtime/wire/internal/skip"
	"github.com/indexer-gen/indexer-gen/runtime/wire/internal/spare"
)

// Decoder decodes messages of any types, one after the other. It caches frequent strings, up to a
// limit, so one Decoder should decode many messages. It must not be used concurrently.
type Decoder struct {
	text  []byte
	pos   int
	end   int // of the message that is being decoded
	depth int
	skip  *skip.Paths // below the current value
	// changed is set if a field of the object, such as its metadata, is not as in the held object.
	changed bool
	size    int // memory of the slices, maps and pointers so far

	skipped *skip.Paths
	share   bool
	cache   *intern.Cache
	spares  spare.Pool
}

// New returns a Decoder that skips the fields in skipped, which may be nil. With share, objects share
// maps, slices and messages behind pointers that are equal.
func New(skipped *skip.Paths, share bool) *Decoder {
	return &Decoder{skipped: skipped, share: share, cache: intern.New()}
}

// Decode decodes the message data into the object that into points to, which must be zero and of the type
// of m. Without an error the object is what the generated Unmarshal of its type would make of data; see
// doc.go. It may be half filled if there is an error.
//
// held is an earlier version of the object, or nil. The object shares every equal part with it. same reports
// that the whole object equals held; it may be false for equal objects. A held object of another type is
// ignored.
//
// Decode panics if an Unmarshal of the object's types does.
func (d *Decoder) Decode(m *Message, data []byte, into, held any) (same bool, err error) {
	object, before := pointerTo(reflect.ValueOf(into).Convert(reflect.PointerTo(m.t))), pointer{}
	if v := reflect.ValueOf(held); held != nil && v.Type().Elem() == m.t {
		before = pointerTo(v)
	}
	err = d.decode(m, data, object, before)
	if err != nil && (d.share || !before.isNil()) {
		// data is damaged, or a field occurs twice and would be merged into a shared value.
		object.value(m.t).SetZero()
		defer func(share bool) { d.share = share }(d.share)
		d.share = false
		err = d.decode(m, data, object, pointer{})
	}
	d.text = nil
	return err == nil && !before.isNil() && object.equal(before, m.t.Size()), err
}

func (d *Decoder) decode(m *Message, data []byte, object, held pointer) error {
	d.text, d.pos, d.end, d.depth, d.skip, d.size = data, 0, len(data), 0, d.skipped, 0
	d.changed = held.isNil()
	return m.decode(d, object, held)
}

// Fields sets into[i] to the bytes of field i+1 of the message data, unless it is nil. Other fields
// are skipped.
func Fields(data []byte, into ...*[]byte) error {
	d := Decoder{text: data, end: len(data)}
	for d.pos < d.end {
		tag, err := d.tag()
		if err != nil {
			return err
		}
		if i := int(tag>>3) - 1; i < len(into) && into[i] != nil && tag&7 == lengthDelimited {
			*into[i], err = d.bytes()
		} else {
			err = d.skipField(tag)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// Limit sets the size in bytes of all objects that the caller holds, which bounds what d remembers.
func (d *Decoder) Limit(held int64) { d.cache.Limit(held) }
