// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package protobuf

import (
	"encoding"
	"encoding/json"
	"fmt"
	"reflect"

	"github.com/indexer-gen/indexer-gen/runtime/internal/fields"
)

// completePart links the fields of m.t to those of m.whole with the same JSON names.
func (m *Message) completePart() error {
	part := fields.ByName(m.t)
	if err := m.link(m.whole, part); err != nil {
		return err
	}
	for name, f := range part {
		if name != "kind" && name != "apiVersion" {
			return fmt.Errorf("%v has no %q", m.whole, name)
		}
		m.others = append(m.others, f.Index)
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
		plan, err := m.linked(name, f, sf.Type)
		if err != nil {
			return fmt.Errorf("%q: %w", name, err)
		}
		m.add(messageField{number: number, name: []byte(name), index: f.Index, plan: plan})
	}
	return nil
}

// linked returns the plan of a field of a part that has type whole in the whole.
func (m *Message) linked(name string, f fields.Field, whole reflect.Type) (messagePlan, error) {
	t := m.t
	for _, i := range f.Index {
		if t.Kind() == reflect.Pointer {
			return messagePlan{}, fmt.Errorf("it is in an embedded pointer; embed %v", t.Elem())
		}
		t = t.Field(i).Type
	}
	pointer := reflect.PointerTo(f.Type)
	custom := pointer.Implements(reflect.TypeFor[json.Unmarshaler]()) ||
		pointer.Implements(reflect.TypeFor[encoding.TextUnmarshaler]())
	if f.Type != whole && (custom || f.Quoted) {
		return messagePlan{}, fmt.Errorf("%v decodes itself from JSON; use %v", f.Type, whole)
	}
	return m.planOf(name, f.Type, whole)
}
