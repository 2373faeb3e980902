// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package protobuf

import (
	"reflect"

	"github.com/indexer-gen/indexer-gen/runtime/internal/intern"
	"github.com/indexer-gen/indexer-gen/runtime/internal/skip"
)

// Decoder decodes messages of any types, one after the other. It caches frequent strings, up to a
// limit, so one Decoder should decode many messages. It must not be used concurrently.
type Decoder struct {
	text  []byte
	pos   int
	end   int // of the message that is being decoded
	depth int
	skip  *skip.Paths // below the current value

	skipped *skip.Paths
	share   bool
	cache   *intern.Cache
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
// Decode panics if an Unmarshal of the object's types does.
func (d *Decoder) Decode(m *Message, data []byte, into any) error {
	v := reflect.ValueOf(into).Elem()
	d.begin(data)
	err := m.decode(d, v)
	if err != nil && d.share {
		// It is damaged, or a field comes twice and would change what is shared.
		v.SetZero()
		d.share = false
		defer func() { d.share = true }()
		d.begin(data)
		err = m.decode(d, v)
	}
	d.text = nil
	return err
}

func (d *Decoder) begin(data []byte) {
	d.text, d.pos, d.end, d.depth, d.skip = data, 0, len(data), 0, d.skipped
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
		begin := d.pos
		if err := d.skipField(tag); err != nil {
			return err
		}
		if i := int(tag>>3) - 1; i < len(into) && into[i] != nil && tag&7 == lengthDelimited {
			end := d.pos
			d.pos = begin
			if *into[i], err = d.bytes(); err != nil || d.pos != end {
				return err
			}
		}
	}
	return nil
}
