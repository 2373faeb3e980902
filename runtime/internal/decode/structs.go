// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package decode

import (
	"reflect"
	"slices"
	"sync"
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

// fieldSet is a set of positions in the fields of a struct.
type fieldSet [4]uint64

func (s *fieldSet) add(i int) { s[i/64] |= 1 << (i % 64) }

func (s *fieldSet) has(i int) bool { return s[i/64]&(1<<(i%64)) != 0 }

// maxFields is the largest number of fields that this package supports in a struct.
const maxFields = 255

func (p *structPlan) complete() {
	fields, ok := fieldsOf(p.t)
	p.odd = !ok || len(fields) > maxFields
	if p.odd {
		return
	}
	for i := range fields {
		f := &fields[i]
		f.plan = planAt(f.t)
		p.odd = p.odd || f.quoted
		h := nameHash(f.name)
		p.table[h] = append(p.table[h], uint8(i))
	}
	p.fields = fields
	p.plain = !p.odd && p.isPlain(p.t, nil)
}

// isPlain reports whether each field of t, which is at index, is in p.fields or is an embedded
// struct of such fields.
func (p *structPlan) isPlain(t reflect.Type, index []int) bool {
	for i := range t.NumField() {
		at := append(slices.Clone(index), i)
		inner := t.Field(i)
		switch {
		case slices.ContainsFunc(p.fields, func(f field) bool { return slices.Equal(f.index, at) }):
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
		if p.fields[i].name == string(name) {
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
	var seen fieldSet
	skip := d.skip
	more, err := d.open('}')
	for more && err == nil {
		var name []byte
		if name, err = d.name(); err != nil {
			return err
		}
		i, known := p.find(name)
		below := skip.member(name)
		switch {
		case !known || below.whole():
			err = d.skipValue()
		case seen.has(i):
			return ErrOdd // a duplicate member is merged with the first
		default:
			seen.add(i)
			d.skip = below
			f := &p.fields[i]
			err = f.plan.decode(d, f.in(v))
		}
		if err != nil {
			return err
		}
		more, err = d.more('}')
	}
	d.skip = skip
	return err
}
