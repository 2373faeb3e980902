// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package store

import (
	"reflect"
	"unsafe"
)

// deepCopy copies what can be reached from v through exported fields, also those of
// structs that are embedded and not exported themselves. What is behind a pointer, a slice
// or a map in another unexported field stays shared. What points back to where it is
// reached from does so in the copy.
func deepCopy[T any](v T) T {
	c := reflect.New(reflect.TypeFor[T]()).Elem()
	copies{}.into(c, reflect.ValueOf(&v).Elem())
	out, _ := c.Interface().(T) // a nil of an interface is nothing to copy
	return out
}

// isPart reports whether a field that is not exported may have some that are: it is a
// struct and embedded. Reflection reads and sets those, though not the struct itself; behind
// an embedded pointer it could read, and not copy.
func isPart(f reflect.StructField) bool {
	return f.Anonymous && !f.IsExported() && f.Type.Kind() == reflect.Struct
}

// referent is what a pointer, a map or a slice refers to.
type referent struct {
	at unsafe.Pointer
	n  int // of a slice
	t  reflect.Type
}

func referentOf(v reflect.Value) referent {
	r := referent{at: v.UnsafePointer(), t: v.Type()}
	if v.Kind() == reflect.Slice {
		r.n = v.Len()
	}
	return r
}

// copies are those that have been made of what is referred to.
type copies map[referent]reflect.Value

// into sets to, which can be set, to a deep copy of from.
func (c copies) into(to, from reflect.Value) {
	to.Set(from)
	c.deepen(to, from)
}

// deepen has to, which is as from is, share nothing with it.
func (c copies) deepen(to, from reflect.Value) {
	switch from.Kind() {
	case reflect.Pointer, reflect.Map, reflect.Slice:
		if !from.IsNil() {
			c.refer(to, from)
		}
	case reflect.Interface:
		if !from.IsNil() {
			held := reflect.New(from.Elem().Type()).Elem()
			c.into(held, from.Elem())
			to.Set(held)
		}
	case reflect.Struct:
		for i := range from.NumField() {
			switch f := from.Type().Field(i); {
			case f.IsExported():
				c.into(to.Field(i), from.Field(i))
			case isPart(f):
				c.deepen(to.Field(i), from.Field(i))
			}
		}
	case reflect.Array:
		c.elements(to, from)
	}
}

// refer has to refer to a copy of what from refers to.
func (c copies) refer(to, from reflect.Value) {
	what := referentOf(from)
	if have, ok := c[what]; ok {
		to.Set(have)
		return
	}
	switch from.Kind() {
	case reflect.Pointer:
		to.Set(reflect.New(from.Type().Elem()))
		c[what] = reflect.ValueOf(to.Interface())
		c.into(to.Elem(), from.Elem())
	case reflect.Slice:
		to.Set(reflect.MakeSlice(from.Type(), from.Len(), from.Len()))
		c[what] = reflect.ValueOf(to.Interface())
		c.elements(to, from)
	case reflect.Map:
		to.Set(reflect.MakeMapWithSize(from.Type(), from.Len()))
		c[what] = reflect.ValueOf(to.Interface())
		for it := from.MapRange(); it.Next(); {
			value := reflect.New(from.Type().Elem()).Elem()
			c.into(value, it.Value())
			to.SetMapIndex(it.Key(), value)
		}
	}
}

func (c copies) elements(to, from reflect.Value) {
	for i := range from.Len() {
		c.into(to.Index(i), from.Index(i))
	}
}
