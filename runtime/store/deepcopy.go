// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package store

import (
	"fmt"
	"reflect"
	"strings"
)

// deepCopy copies what can be reached from v through exported fields. What is
// behind a pointer in an unexported one stays shared.
func deepCopy[T any](v T) T {
	c := reflect.New(reflect.TypeFor[T]()).Elem()
	copyInto(c, reflect.ValueOf(&v).Elem())
	return c.Interface().(T)
}

// copyInto sets to, which can be set, to a deep copy of from.
func copyInto(to, from reflect.Value) {
	to.Set(from)
	switch from.Kind() {
	case reflect.Pointer:
		if !from.IsNil() {
			to.Set(reflect.New(from.Type().Elem()))
			copyInto(to.Elem(), from.Elem())
		}
	case reflect.Interface:
		if !from.IsNil() {
			c := reflect.New(from.Elem().Type()).Elem()
			copyInto(c, from.Elem())
			to.Set(c)
		}
	case reflect.Struct:
		for i := range from.NumField() {
			if from.Type().Field(i).IsExported() {
				copyInto(to.Field(i), from.Field(i))
			}
		}
	case reflect.Slice:
		if !from.IsNil() {
			to.Set(reflect.MakeSlice(from.Type(), from.Len(), from.Len()))
			copyElements(to, from)
		}
	case reflect.Array:
		copyElements(to, from)
	case reflect.Map:
		if !from.IsNil() {
			to.Set(reflect.MakeMapWithSize(from.Type(), from.Len()))
			for it := from.MapRange(); it.Next(); {
				c := reflect.New(from.Type().Elem()).Elem()
				copyInto(c, it.Value())
				to.SetMapIndex(it.Key(), c)
			}
		}
	}
}

func copyElements(to, from reflect.Value) {
	for i := range from.Len() {
		copyInto(to.Index(i), from.Index(i))
	}
}

// firstDifference returns where b differs from a, which it is a changed copy
// of, and the values there; two equal ones if nothing differs.
func firstDifference(a, b reflect.Value) (path, was, is string) {
	d := differ{}
	d.walk("", a, b)
	return d.path, d.was, d.is
}

type differ struct{ path, was, is string }

func (d *differ) found(path string, was, is any) bool {
	d.path, d.was, d.is = path, show(was), show(is)
	if d.path == "" {
		d.path = "."
	}
	if d.was == d.is { // printed alike, and yet not the same
		d.is += " (another)"
	}
	return true
}

// show prints a value, or as much of it as a message has room for.
func show(v any) string {
	s := printed(v)
	if _, ok := v.(fmt.Stringer); !ok {
		s = fmt.Sprintf("%#v", v)
	}
	if len(s) > 120 {
		s = s[:120] + "…"
	}
	return s
}

// walk reports whether it has found a difference.
func (d *differ) walk(path string, a, b reflect.Value) bool {
	switch a.Kind() {
	case reflect.Pointer, reflect.Interface:
		switch {
		case a.IsNil() != b.IsNil():
			return d.found(path, present(!a.IsNil()), present(!b.IsNil()))
		case a.IsNil() || a.Kind() == reflect.Pointer && a.Pointer() == b.Pointer():
			return false
		case a.Elem().Type() != b.Elem().Type():
			return d.found(path, a.Elem().Type(), b.Elem().Type())
		}
		return d.walk(path, a.Elem(), b.Elem())
	case reflect.Struct:
		for i := range a.NumField() {
			f := a.Type().Field(i)
			if !f.IsExported() {
				continue
			}
			if d.walk(path+fieldName(f), a.Field(i), b.Field(i)) {
				return true
			}
		}
		return !equal(a, b) && d.found(path, a.Interface(), b.Interface())
	case reflect.Slice, reflect.Array:
		if a.Len() != b.Len() {
			return d.found(path, elements(a.Len()), elements(b.Len()))
		}
		for i := range a.Len() {
			if d.walk(fmt.Sprintf("%s[%d]", path, i), a.Index(i), b.Index(i)) {
				return true
			}
		}
		return false
	case reflect.Map:
		return d.maps(path, a, b)
	case reflect.Func, reflect.Chan, reflect.UnsafePointer:
		return false
	}
	return !a.Equal(b) && d.found(path, a.Interface(), b.Interface())
}

// equal compares structs with all their fields, also unexported ones; by their
// own method if they have one, as Time and Quantity do.
func equal(a, b reflect.Value) bool {
	if is, ok := askEqual(a, b); ok {
		return is
	}
	for i := range a.NumField() { // the exported ones have been walked
		if f := a.Field(i); !a.Type().Field(i).IsExported() && f.Comparable() && !f.Equal(b.Field(i)) {
			return false
		}
	}
	return true
}

// askEqual returns what the method Equal of a says, if it has one that says something.
func askEqual(a, b reflect.Value) (equal, ok bool) {
	defer func() {
		if recover() != nil {
			ok = false
		}
	}()
	m := a.MethodByName("Equal")
	if !m.IsValid() {
		return false, false
	}
	if is := m.Type(); is.NumIn() != 1 || is.In(0) != b.Type() || is.NumOut() != 1 || is.Out(0).Kind() != reflect.Bool {
		return false, false
	}
	return m.Call([]reflect.Value{b})[0].Bool(), true
}

func (d *differ) maps(path string, a, b reflect.Value) bool {
	for it := a.MapRange(); it.Next(); {
		at := fmt.Sprintf("%s['%v']", path, it.Key())
		v := b.MapIndex(it.Key())
		if !v.IsValid() {
			return d.found(at, it.Value().Interface(), missing{})
		}
		if d.walk(at, it.Value(), v) {
			return true
		}
	}
	for it := b.MapRange(); it.Next(); {
		if !a.MapIndex(it.Key()).IsValid() {
			return d.found(fmt.Sprintf("%s['%v']", path, it.Key()), missing{}, it.Value().Interface())
		}
	}
	return false
}

type missing struct{}

func (missing) String() string { return "not there" }

type present bool

func (p present) String() string {
	if p {
		return "set"
	}
	return "nil"
}

type elements int

func (n elements) String() string { return fmt.Sprintf("of %d elements", int(n)) }

// fieldName is how a path continues with a field: as JSON names it.
func fieldName(f reflect.StructField) string {
	name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
	switch {
	case name == "" && (f.Anonymous || options == "inline"):
		return ""
	case name == "" || name == "-":
		return "." + f.Name
	}
	return "." + name
}
