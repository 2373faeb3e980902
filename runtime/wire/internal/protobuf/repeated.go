// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package protobuf

import (
	"fmt"
	"reflect"

	"github.com/indexer-gen/indexer-gen/runtime/wire/internal/spare"
)

// pointerFieldPlan decodes into what a pointer points to. A scalar that occurs again replaces the value; a
// message is merged.
func (m *Message) pointerFieldPlan(name string, t, whole reflect.Type) (messagePlan, error) {
	inner, err := m.planOf(name, t.Elem(), whole.Elem())
	if err == nil && inner.repeated {
		err = fmt.Errorf("a %v has no form in protobuf", t)
	}
	if err != nil {
		return inner, err
	}
	decode, made, size := inner.decode, spare.At(t.Elem()), t.Elem().Size()
	scalar := inner.wire != lengthDelimited || t.Elem().Kind() == reflect.String
	inner.decode = func(d *Decoder, p, held pointer, tag uint64) error {
		d.size += int(size)
		if held.isNil() || held.elem().isNil() {
			if p.elem().isNil() || scalar {
				p.setElem(pointerTo(reflect.New(t.Elem())))
			}
			return decode(d, p.elem(), pointer{}, tag)
		}
		value := d.spares.Take(made)
		err := decode(d, pointerTo(value), held.elem(), tag)
		if err == nil && pointerTo(value).equal(held.elem(), size) {
			p.setElem(held.elem())
			value.Elem().SetZero()
			d.spares.Put(made, value)
		} else {
			p.setElem(pointerTo(value))
		}
		return err
	}
	return inner, nil
}

// sliceFieldPlan decodes a run of elements into a slice without spare capacity, since lists are shared: two
// programs that append to one list must not write to the same memory. If a list comes in several runs, it may
// have spare capacity.
func (m *Message) sliceFieldPlan(name string, t, whole reflect.Type) (messagePlan, error) {
	if t.Elem().Kind() == reflect.Uint8 && whole.Elem().Kind() == reflect.Uint8 {
		return messagePlan{wire: lengthDelimited, decode: decodeBytesField}, nil
	}
	elem, err := m.planOf(name, t.Elem(), whole.Elem())
	if err == nil && elem.repeated {
		err = fmt.Errorf("a %v has no form in protobuf", t)
	}
	p := messagePlan{wire: elem.wire, repeated: true, message: elem.message}
	run := run{elem, t.Elem().Size()}
	made := spare.At(t)
	p.decode = func(d *Decoder, p, held pointer, tag uint64) error {
		if elem.wire != lengthDelimited && tag&7 == lengthDelimited {
			return decodePacked(d, p.value(t), elem)
		}
		d.skip = d.skip.Elements()
		n, _, _ := d.run(tag, true)
		d.size += n * int(run.size)
		if held.isNil() || held.len() == 0 {
			v, first := p.value(t), p.len()
			v.Grow(n)
			v.SetLen(first + n)
			if first == 0 {
				v.SetCap(n)
			}
			return run.decode(d, p, first, n, pointer{}, tag)
		}
		taken := d.spares.Take(made)
		elements := taken.Elem()
		elements.Grow(n)
		elements.SetLen(n)
		err := run.decode(d, pointerTo(taken), 0, n, held, tag)
		if err == nil && n == held.len() && run.equal(pointerTo(taken), held, n) {
			*as[[]byte](p) = *as[[]byte](held)
		} else {
			v := p.value(t)
			v.Grow(n)
			v.SetLen(n)
			v.SetCap(n)
			reflect.Copy(v, elements)
		}
		d.spares.Put(made, taken)
		return err
	}
	return p, err
}

// run decodes a sequence of fields with one number, the elements of a slice.
type run struct {
	elem messagePlan
	size uintptr // of an element
}

// decode decodes n elements into the slice that p points to, from position first on. The tag of the first
// has been read. held points to the slice in the cached object, or is nil.
func (r run) decode(d *Decoder, p pointer, first, n int, held pointer, tag uint64) error {
	for i := range n {
		var before pointer
		if !held.isNil() && i < held.len() {
			before = held.index(i, r.size)
		}
		if err := r.elem.decode(d, p.index(first+i, r.size), before, tag); err != nil {
			return err
		}
		if i < n-1 {
			_, _ = d.varint() // the same tag
		}
	}
	return nil
}

func (r run) equal(p, q pointer, n int) bool {
	return p.index(0, r.size).equal(q.index(0, r.size), uintptr(n)*r.size)
}

// decodePacked decodes numbers that are all in one field.
func decodePacked(d *Decoder, v reflect.Value, elem messagePlan) error {
	n, err := d.length()
	if err != nil {
		return err
	}
	for end := d.pos + n; d.pos < end; {
		value := reflect.New(v.Type().Elem())
		if err := elem.decode(d, pointerTo(value), pointer{}, elem.wire); err != nil {
			return err
		}
		d.size += int(v.Type().Elem().Size())
		v.Set(reflect.Append(v, value.Elem()))
	}
	return nil
}
