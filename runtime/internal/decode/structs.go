// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package decode

import (
	"reflect"
	"slices"
	"sync"
)

// structPlan decodes a struct. It is completed when it is first followed, so that a
// type may contain itself.
type structPlan struct {
	t      reflect.Type
	once   sync.Once
	fields []field
	// table finds fields by their names: the entries under a hash are the
	// positions in fields, plus one.
	table [64][]uint8
	// others are the fields that nothing is decoded into, and embedded what is embedded
	// by pointer on the way to fields.
	others   []field
	embedded []embeddedPointer
	// odd has the reference decoder do it.
	odd bool
}

// fieldSet is a set of positions in the fields of a struct.
type fieldSet [4]uint64

func (s *fieldSet) add(i int) { s[i/64] |= 1 << (i % 64) }

func (s *fieldSet) has(i int) bool { return s[i/64]&(1<<(i%64)) != 0 }

// meets tells whether both sets have something in common.
func (s *fieldSet) meets(other *fieldSet) bool {
	return (s[0]&other[0] | s[1]&other[1] | s[2]&other[2] | s[3]&other[3]) != 0
}

// embeddedPointer is a pointer that is embedded, with those fields that are within.
type embeddedPointer struct {
	field
	within fieldSet
}

// maxFields is how many fields a struct may have that this package decodes.
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
	p.addRest(p.t, nil)
}

// addRest adds to others and embedded what there is in t, which is found by index.
func (p *structPlan) addRest(t reflect.Type, index []int) {
	for i := range t.NumField() {
		inner := t.Field(i).Type
		here := field{index: append(slices.Clone(index), i)}
		var within fieldSet
		for j := range p.fields {
			if at := p.fields[j].index; len(at) >= len(here.index) && slices.Equal(at[:len(here.index)], here.index) {
				if within.add(j); len(at) == len(here.index) {
					inner = nil // it is a field itself
				}
			}
		}
		switch {
		case within == fieldSet{}:
			p.others = append(p.others, here)
		case inner == nil:
		case inner.Kind() == reflect.Pointer:
			p.embedded = append(p.embedded, embeddedPointer{here, within})
			p.addRest(inner.Elem(), here.index)
		default:
			p.addRest(inner, here.index)
		}
	}
}

// nameHash tells names apart that differ in length or at their ends.
func nameHash[S string | []byte](name S) uint8 {
	if len(name) == 0 {
		return 0
	}
	return (uint8(len(name)) + name[0]*3 + name[len(name)-1]*7) % 64
}

// find returns the field that the member name belongs to.
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
			return ErrOdd // a member twice: the second is decoded over the first
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
