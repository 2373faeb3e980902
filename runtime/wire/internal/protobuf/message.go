// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package protobuf

import (
	"errors"
	"fmt"
	"reflect"
	"sync"

	"github.com/indexer-gen/indexer-gen/runtime/wire/internal/fields"
	"github.com/indexer-gen/indexer-gen/runtime/wire/internal/skip"
)

// Message decodes protobuf messages into values of one Go type. It is safe for concurrent use.
type Message struct {
	t, whole reflect.Type
	once     sync.Once
	err      error
	fields   []messageField
	nested   []nested             // of the fields
	byNumber [maxNumber + 1]uint8 // position in fields, plus one
}

// messageField is a field of a message.
type messageField struct {
	number int32
	name   []byte  // in JSON
	inline bool    // JSON has the fields of the message in place of the message
	offset uintptr // in the struct
	size   uintptr
	plan   messagePlan
	// part decodes a message whose fields are fields of the same struct.
	part *Message
}

// nested is the Message of a field, or of its elements.
type nested struct {
	name string // of the field, in JSON
	*Message
}

// messages holds the Message of each pair of types.
var messages sync.Map // [2]reflect.Type to *Message

// MessageOf returns the Message for struct type t. The field numbers are those in the protobuf tags of
// whole, which is t itself or a type that has every field of t under the same JSON name. It returns
// an error if protobuf cannot be decoded into t.
func MessageOf(t, whole reflect.Type) (*Message, error) {
	m := messageOf(t, whole)
	return m, m.check("", map[*Message]bool{})
}

func messageOf(t, whole reflect.Type) *Message {
	m, _ := messages.LoadOrStore([2]reflect.Type{t, whole}, &Message{t: t, whole: whole})
	return m.(*Message)
}

// check completes m and all messages within it. path leads to m.
func (m *Message) check(path string, done map[*Message]bool) error {
	if done[m] {
		return nil
	}
	done[m] = true
	m.once.Do(func() { m.err = m.complete() })
	if m.err != nil {
		if path != "" {
			return fmt.Errorf("%s: %w", path, m.err)
		}
		return m.err
	}
	for _, inner := range m.nested {
		if err := inner.check(path+"."+inner.name, done); err != nil {
			return err
		}
	}
	return nil
}

func (m *Message) complete() error {
	if m.t.Kind() != reflect.Struct || !isTagged(m.whole) {
		return fmt.Errorf("the type %v has fields without protobuf tags", m.whole)
	}
	if m.t != m.whole {
		return m.completePart()
	}
	for i := range m.t.NumField() {
		sf := m.t.Field(i)
		number, tagged := fieldNumber(sf)
		if !tagged {
			continue
		}
		name, inline := jsonName(sf)
		f := messageField{number: number, name: []byte(name), inline: inline, offset: sf.Offset, size: sf.Type.Size()}
		var err error
		if f.plan, err = m.planOf(name, sf.Type, sf.Type); err != nil {
			return fmt.Errorf("%v.%s: %w", m.t, sf.Name, err)
		}
		m.add(f)
	}
	return nil
}

func (m *Message) add(f messageField) {
	m.fields = append(m.fields, f)
	m.byNumber[f.number] = uint8(len(m.fields))
}

// find returns the field of a number, or nil.
func (m *Message) find(number int32) *messageField {
	if number > maxNumber || m.byNumber[number] == 0 {
		return nil
	}
	return &m.fields[m.byNumber[number]-1]
}

// below returns the paths to skip within the field.
func (f *messageField) below(skip *skip.Paths) *skip.Paths {
	if f.inline {
		return skip
	}
	return skip.Member(f.name)
}

// decode reads the fields of a message into the struct that p points to. held points to the struct in
// the cached object, or is nil.
func (m *Message) decode(d *Decoder, p, held pointer) error {
	if d.depth++; d.depth > maxDepth {
		return errTooDeep
	}
	var seen fields.Set // of numbers; used with held
	skip := d.skip
	for d.pos < d.end {
		tag, err := d.tag()
		if err != nil {
			return err
		}
		f := m.find(int32(tag >> 3))
		if f == nil || f.below(skip).Whole() {
			if err := d.skipField(tag); err != nil {
				return err
			}
			continue
		}
		d.skip = f.below(skip)
		if !held.isNil() {
			if seen.Has(int(f.number)) {
				return errMerge // the second is merged with the first, which may be that of held
			}
			seen.Add(int(f.number))
		}
		if f.part != nil {
			err = f.part.decodeField(d, p, held, tag)
		} else {
			err = f.plan.decode(d, p.field(f.offset), held.field(f.offset), tag)
		}
		if err != nil {
			return err
		}
		if d.depth == 1 && !d.changed {
			d.changed = !p.field(f.offset).equal(held.field(f.offset), f.size)
		}
	}
	d.skip = skip
	d.depth--
	return nil
}

// decodeField decodes a field that holds a message.
func (m *Message) decodeField(d *Decoder, p, held pointer, tag uint64) error {
	if tag&7 != lengthDelimited {
		return errWireType
	}
	n, err := d.length()
	if err != nil {
		return err
	}
	outer := d.end
	d.end = d.pos + n
	err = m.decode(d, p, held)
	d.end = outer
	return err
}

// maxDepth is the limit of nesting. Generated code has none.
const maxDepth = 10_000

var (
	errTooDeep  = errors.New("the message nests deeper than 10,000 levels")
	errWireType = errors.New("the wire type does not fit the field")
)
