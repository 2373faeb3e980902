// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package decode

import (
	"reflect"
	"slices"
	"sync"

	"github.com/indexer-gen/indexer-gen/runtime/wire/internal/fields"
)

// structPlan decodes a struct. It is completed on first use, so that a type may contain itself.
type structPlan struct {
	t      reflect.Type
	once   sync.Once
	fields []field
	// table maps a hash of a name to positions in fields.
	table [64][]uint8
	// plain is set if a value has no other fields, and no field is behind an embedded pointer.
	plain bool
	// odd is set if the reference decoder must decode the struct.
	odd bool
}

// field is a field with the plan of its type.
type field struct {
	fields.Field
	plan plan
}

// in returns the field of v. It allocates embedded pointers on the way.
func (f *field) in(v reflect.Value) reflect.Value {
	for i, at := range f.Index {
		if i > 0 && v.Kind() == reflect.Pointer {
			if v.IsNil() {
				v.Set(reflect.New(v.Type().Elem()))
			}
			v = v.Elem()
		}
		v = v.Field(at)
	}
	return v
}

func (p *structPlan) complete() {
	all, ok := fields.Of(p.t)
	p.odd = !ok || len(all) > fields.MaxOfSet
	if p.odd {
		return
	}
	for i, f := range all {
		p.fields = append(p.fields, field{f, planAt(f.Type)})
		p.odd = p.odd || f.Quoted
		h := nameHash(f.Name)
		p.table[h] = append(p.table[h], uint8(i))
	}
	p.plain = !p.odd && p.isPlain(p.t, nil)
}

// isPlain reports whether each field of t, which is at index, is in p.fields or is an embedded
// struct of such fields.
func (p *structPlan) isPlain(t reflect.Type, index []int) bool {
	for i := range t.NumField() {
		at := append(slices.Clone(index), i)
		inner := t.Field(i)
		switch {
		case slices.ContainsFunc(p.fields, func(f field) bool { return slices.Equal(f.Index, at) }):
		case !inner.Anonymous || inner.Type.Kind() != reflect.Struct || !p.isPlain(inner.Type, at):
			return false
		}
	}
	return true
}

// nameHash depends on the length and both ends of a name.
func nameHash[S string | []byte](name S) uint8 {
	if len(name) == 0 {
		return 0
	}
	return (uint8(len(name)) + name[0]*3 + name[len(name)-1]*7) % 64
}

// find returns the field of the member name.
func (p *structPlan) find(name []byte) (int, bool) {
	for _, i := range p.table[nameHash(name)] {
		if p.fields[i].Name == string(name) {
			return int(i), true
		}
	}
	return 0, false
}

func (p *structPlan) decode(d *Decoder, v reflect.Value) error {
	p.once.Do(p.complete)
	if p.odd {
		return decodeByReference(d, v)
	}
	if null, err := d.null(); null || err != nil {
		return err
	}
	if d.text[d.pos] != '{' {
		return ErrOdd
	}
	var seen fields.Set
	skip := d.skip
	more, err := d.open('}')
	for more && err == nil {
		var name []byte
		if name, err = d.name(); err != nil {
			return err
		}
		i, known := p.find(name)
		below := skip.Member(name)
		switch {
		case !known || below.Whole():
			err = d.skipValue()
		case seen.Has(i):
			return ErrOdd // a duplicate member is merged with the first
		default:
			seen.Add(i)
			d.skip = below
			f := &p.fields[i]
			err = d.inMember(f.Name, f.plan.decode(d, f.in(v)))
		}
		if err != nil {
			return err
		}
		more, err = d.more('}')
	}
	d.skip = skip
	return err
}
