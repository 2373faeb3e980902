// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package protobuf

import (
	"errors"
	"reflect"

	"github.com/indexer-gen/indexer-gen/runtime/wire/internal/intern"
	"github.com/indexer-gen/indexer-gen/runtime/wire/internal/skip"
	"github.com/indexer-gen/indexer-gen/runtime/wire/internal/spare"
)

// mapField decodes a run of entries into a map of type t.
type mapField struct {
	t             reflect.Type
	key, elem     messagePlan
	names, values spare.Place
}

func (f *mapField) decode(d *Decoder, p, held pointer, tag uint64) error {
	n, _, _ := d.run(tag, true)
	into := p.value(f.t)
	e := entries{
		mapField: f, skip: d.skip, empty: reflect.Zero(f.t.Elem()),
		name: d.spares.Take(f.names), value: d.spares.Take(f.values), older: d.spares.Take(f.values),
	}
	defer e.end(d)
	if f.t.Elem().Kind() == reflect.Slice {
		e.empty = reflect.MakeSlice(f.t.Elem(), 0, 0) // not nil, as in generated code
	}
	if !held.isNil() && !held.elem().isNil() {
		e.held = held.value(f.t)
	}
	if e.held.IsValid() && into.IsNil() && f.t.Key().Kind() == reflect.String {
		start, size := d.pos, d.size
		err := e.match(d, n, tag)
		if err == nil {
			into.Set(e.held)
			d.size += intern.SizeOfMap(f.t, n)
		}
		if !errors.Is(err, errDiffers) {
			return err
		}
		d.pos, d.size = start, size
	}
	d.size += intern.SizeOfMap(f.t, n)
	if into.IsNil() {
		into.Set(reflect.MakeMapWithSize(f.t, n))
	}
	return d.entries(n, tag, func(entry mapEntry) error {
		skipped, err := e.read(d, entry)
		if err == nil && !skipped {
			into.SetMapIndex(e.name.Elem(), e.value.Elem())
		}
		return err
	})
}

// entries decodes the entries of one map, one after the other.
type entries struct {
	*mapField
	skip        *skip.Paths // in the map
	empty       reflect.Value
	name, value reflect.Value // pointers to the key and the value of an entry
	held        reflect.Value // the map in the cached object; invalid if there is none
	older       reflect.Value // points to the value under the same key in held, if found is set
	found       bool
}

// read reads an entry. It reports whether the entry is one to skip.
func (e *entries) read(d *Decoder, entry mapEntry) (skipped bool, err error) {
	e.name.Elem().SetZero()
	e.value.Elem().Set(e.empty)
	e.found = false
	err = entry.each(d, func(number int32) error {
		if number == 1 {
			e.found = false
			return e.key.decode(d, pointerTo(e.name), pointer{}, e.key.wire)
		}
		e.value.Elem().Set(e.empty)
		d.skip = nil
		if e.skip != nil && e.t.Key().Kind() == reflect.String {
			d.skip = e.skip.Member([]byte(e.name.Elem().String()))
		}
		var at pointer
		if e.find() {
			at = pointerTo(e.older)
		}
		return e.elem.decode(d, pointerTo(e.value), at, e.elem.wire)
	})
	return e.skip != nil && e.skip.Member([]byte(e.name.Elem().String())).Whole(), err
}

// find looks up the key in the held map.
func (e *entries) find() bool {
	if !e.found && e.held.IsValid() {
		if older := e.held.MapIndex(e.name.Elem()); older.IsValid() {
			e.older.Elem().Set(older)
			e.found = true
		}
	}
	return e.found
}

// match reads n entries and returns errDiffers if they are not those of the held map. It requires
// ascending keys, which generated code writes, so no key can come twice.
func (e *entries) match(d *Decoder, n int, tag uint64) error {
	count, last := 0, ""
	err := d.entries(n, tag, func(entry mapEntry) error {
		skipped, err := e.read(d, entry)
		if err != nil || skipped {
			return err
		}
		key := e.name.Elem().String()
		if !e.find() || count > 0 && key <= last || !e.same() {
			return errDiffers
		}
		count, last = count+1, key
		return nil
	})
	if err == nil && count != e.held.Len() {
		return errDiffers
	}
	return err
}

// same reports whether the value is the one in the held map.
func (e *entries) same() bool {
	return pointerTo(e.value).equal(pointerTo(e.older), e.t.Elem().Size()) ||
		reflect.DeepEqual(e.value.Elem().Interface(), e.older.Elem().Interface())
}

// end gives the spare values back.
func (e *entries) end(d *Decoder) {
	for _, v := range []reflect.Value{e.name, e.value, e.older} {
		v.Elem().SetZero()
	}
	d.spares.Put(e.names, e.name)
	d.spares.Put(e.values, e.value)
	d.spares.Put(e.values, e.older)
}
