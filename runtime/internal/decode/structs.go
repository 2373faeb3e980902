// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package decode

import (
	"reflect"
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
	// odd has the reference decoder do it.
	odd bool
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
	var seen [4]uint64
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
		case seen[i/64]&(1<<(i%64)) != 0:
			return ErrOdd // a member twice: the second is decoded over the first
		default:
			seen[i/64] |= 1 << (i % 64)
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
