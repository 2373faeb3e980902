// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package store

import (
	"fmt"
	"math"
	"reflect"
	"strings"
	"unicode/utf8"
)

// firstDifference returns where b differs from a, which it is a changed copy
// of, and the values there; two equal ones if nothing differs.
func firstDifference(a, b reflect.Value) (path, was, is string) {
	d := differ{met: map[[2]referent]bool{}}
	d.walk("", a, b)
	return d.path, d.was, d.is
}

type differ struct {
	path, was, is string
	met           map[[2]referent]bool // what has been compared, or is being
}

// again reports whether what a and b refer to has been compared, or is being: a part
// that points back to the whole is no other.
func (d *differ) again(a, b reflect.Value) bool {
	pair := [2]referent{referentOf(a), referentOf(b)}
	met := d.met[pair]
	d.met[pair] = true
	return met
}

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
	var s string
	if _, ok := v.(fmt.Stringer); ok {
		s = printed(v)
	} else if room := 10_000; printable(reflect.ValueOf(v), &room, 100) {
		s = fmt.Sprintf("%#v", v)
	} else {
		s = fmt.Sprintf("a large %T", v)
	}
	return shortened(s, 120)
}

// shortened returns at most n bytes of a text, whole characters of it.
func shortened(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n] + "…"
}

// printable reports whether printing a value, which follows maps and slices wherever
// they lead, comes to an end after some steps, none too deep.
func printable(v reflect.Value, room *int, depth int) bool {
	if *room--; *room < 0 || depth == 0 {
		return false
	}
	ok := true
	switch v.Kind() {
	case reflect.Pointer: // followed if it is the value itself
		ok = depth < 100 || v.IsNil() || printable(v.Elem(), room, depth-1)
	case reflect.Interface:
		ok = v.IsNil() || printable(v.Elem(), room, depth-1)
	case reflect.Struct:
		for i := 0; ok && i < v.NumField(); i++ {
			ok = printable(v.Field(i), room, depth-1)
		}
	case reflect.Slice, reflect.Array:
		for i := 0; ok && i < v.Len(); i++ {
			ok = printable(v.Index(i), room, depth-1)
		}
	case reflect.Map:
		for it := v.MapRange(); ok && it.Next(); {
			ok = printable(it.Value(), room, depth-1)
		}
	}
	return ok
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
		case a.Kind() == reflect.Pointer && d.again(a, b):
			return false
		}
		return d.walk(path, a.Elem(), b.Elem())
	case reflect.Struct:
		for i := range a.NumField() {
			f := a.Type().Field(i)
			if !f.IsExported() && !isPart(f) {
				continue
			}
			if d.walk(path+fieldName(f), a.Field(i), b.Field(i)) {
				return true
			}
		}
		return !equal(a, b) && d.found(path, held(a), held(b))
	case reflect.Slice, reflect.Array:
		if a.Len() != b.Len() {
			return d.found(path, elements(a.Len()), elements(b.Len()))
		}
		if a.Kind() == reflect.Slice && a.Len() > 0 && d.again(a, b) {
			return false
		}
		for i := range a.Len() {
			if d.walk(fmt.Sprintf("%s[%d]", path, i), a.Index(i), b.Index(i)) {
				return true
			}
		}
		return false
	case reflect.Map:
		return !d.again(a, b) && d.maps(path, a, b)
	case reflect.Func, reflect.Chan, reflect.UnsafePointer:
		return false
	}
	return !identical(a, b) && d.found(path, held(a), held(b))
}

// held returns what v holds, to be shown: of an embedded struct that is not exported, what
// it looks like.
func held(v reflect.Value) any {
	if v.CanInterface() {
		return v.Interface()
	}
	if room := 10_000; printable(v, &room, 100) {
		return hidden(fmt.Sprintf("%#v", v))
	}
	return hidden("a large " + v.Type().String())
}

// hidden is what a value looks like that only reflection can read.
type hidden string

func (h hidden) String() string { return string(h) }

// equal compares two structs of which the parts and exported fields are known to be the same: by
// their own method if they have one, as Time and Quantity do, and by the other fields.
// What these do not tell apart is the same, though it do not equal itself.
func equal(a, b reflect.Value) bool {
	is, asked := askEqual(a, b)
	if is {
		return true
	}
	for i := range a.NumField() {
		f := a.Type().Field(i)
		if f.IsExported() || isPart(f) {
			continue
		}
		if f := a.Field(i); (asked || f.Comparable()) && !identical(f, b.Field(i)) {
			return false
		}
	}
	return true
}

// identical compares values, of which one may be a copy of the other that is not deep,
// bit by bit: a NaN is what it was.
func identical(a, b reflect.Value) bool {
	switch a.Kind() {
	case reflect.Float32, reflect.Float64:
		return math.Float64bits(a.Float()) == math.Float64bits(b.Float())
	case reflect.Complex64, reflect.Complex128:
		x, y := a.Complex(), b.Complex()
		return math.Float64bits(real(x)) == math.Float64bits(real(y)) && math.Float64bits(imag(x)) == math.Float64bits(imag(y))
	case reflect.Struct:
		for i := range a.NumField() {
			if !identical(a.Field(i), b.Field(i)) {
				return false
			}
		}
		return true
	case reflect.Array:
		for i := range a.Len() {
			if !identical(a.Index(i), b.Index(i)) {
				return false
			}
		}
		return true
	case reflect.Interface:
		if a.IsNil() || b.IsNil() {
			return a.IsNil() == b.IsNil()
		}
		return a.Elem().Type() == b.Elem().Type() && identical(a.Elem(), b.Elem())
	case reflect.Slice:
		return a.Len() == b.Len() && a.Pointer() == b.Pointer()
	case reflect.Map:
		return a.Pointer() == b.Pointer()
	case reflect.Func:
		return true
	}
	return a.Equal(b)
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
		if !it.Key().Equal(it.Key()) {
			continue // nothing is found under a NaN
		}
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
		if it.Key().Equal(it.Key()) && !a.MapIndex(it.Key()).IsValid() {
			return d.found(fmt.Sprintf("%s['%v']", path, it.Key()), missing{}, it.Value().Interface())
		}
	}
	return a.Len() != b.Len() && d.found(path, elements(a.Len()), elements(b.Len()))
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
