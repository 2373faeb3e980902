// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package protobuf

import (
	"fmt"
	"reflect"

	"github.com/indexer-gen/indexer-gen/runtime/wire/internal/fields"
)

// completePart links the fields of m.t to those of m.whole with the same JSON names.
func (m *Message) completePart() error {
	if _, ok := fields.Of(m.t); !ok {
		return fmt.Errorf("%v embeds a name twice, or has an unusual one", m.t)
	}
	part := fields.ByName(m.t)
	if err := m.link(m.whole, part); err != nil {
		return err
	}
	for name := range part {
		if name != "kind" && name != "apiVersion" {
			return fmt.Errorf("%v has no %q", m.whole, name)
		}
	}
	return nil
}

// link adds the fields of whole that part has, and removes them from part.
func (m *Message) link(whole reflect.Type, part map[string]fields.Field) error {
	for i := range whole.NumField() {
		sf := whole.Field(i)
		number, tagged := fieldNumber(sf)
		if !tagged {
			continue
		}
		name, inline := jsonName(sf)
		if inline && sf.Type.Kind() == reflect.Struct {
			within := &Message{t: m.t, whole: sf.Type}
			if err := within.link(sf.Type, part); err != nil {
				return err
			}
			m.nested = append(m.nested, within.nested...)
			if len(within.fields) > 0 {
				m.add(messageField{number: number, inline: true, part: within})
			}
			continue
		}
		f, ok := part[name]
		if !ok {
			continue
		}
		delete(part, name)
		linked := messageField{number: number, name: []byte(name)}
		if err := m.linkField(&linked, f, sf.Type); err != nil {
			return fmt.Errorf("%q: %w", name, err)
		}
		m.add(linked)
	}
	return nil
}

// linkField sets the offset and plan of linked, whose type in the tagged struct is whole.
func (m *Message) linkField(linked *messageField, f fields.Field, whole reflect.Type) (err error) {
	t := m.t
	for _, i := range f.Index {
		if t.Kind() == reflect.Pointer {
			return fmt.Errorf("it is in an embedded pointer; embed %v", t.Elem())
		}
		linked.offset += t.Field(i).Offset
		t = t.Field(i).Type
	}
	if f.Type != whole && f.Quoted {
		return fmt.Errorf("%v decodes itself from JSON; use %v", f.Type, whole)
	}
	linked.size = f.Type.Size()
	linked.plan, err = m.planOf(string(linked.name), f.Type, whole)
	return err
}
