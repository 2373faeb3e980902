// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package decode

import (
	"reflect"
	"strings"
	"unicode"
)

// field is a field of a struct, or of a struct embedded in it, with its JSON name.
type field struct {
	name   string
	t      reflect.Type
	index  []int
	tagged bool
	// quoted is set if the tag has the option "string".
	quoted bool
	plan   plan
}

// in returns the field of v. It allocates embedded pointers on the way.
func (f *field) in(v reflect.Value) reflect.Value {
	for i, at := range f.index {
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

// fieldsOf returns the fields of t by the rules of encoding/json. Of several fields with one name it
// chooses the one that is embedded least deeply, then the one with a tag, and none if several remain.
// ok is false if this package does not support t.
func fieldsOf(t reflect.Type) (fields []field, ok bool) {
	type level struct {
		t     reflect.Type
		index []int
	}
	ok = true
	next := []level{{t: t}}
	visited := map[reflect.Type]bool{}
	decided := map[string]bool{}
	for len(next) > 0 {
		current := next
		next = nil
		var found []field
		count := map[reflect.Type]int{}
		for _, l := range current {
			count[l.t]++
		}
		for _, l := range current {
			if visited[l.t] {
				continue
			}
			visited[l.t] = true
			for i := range l.t.NumField() {
				sf := l.t.Field(i)
				index := append(append([]int(nil), l.index...), i)
				f, embedded, within := readField(sf, index)
				ok = ok && within
				if embedded != nil {
					next = append(next, level{embedded, index})
				}
				if f.name != "" {
					found = append(found, f)
					if count[l.t] > 1 {
						found = append(found, f) // it cancels itself
					}
				}
			}
		}
		for _, f := range dominant(found) {
			if !decided[f.name] && f.t != nil {
				fields = append(fields, f)
			}
			decided[f.name] = true
		}
	}
	return fields, ok
}

// Member is a field of a struct.
type Member struct {
	Type reflect.Type
	// Quoted is true if the field has the option "string".
	Quoted bool
}

// Members returns the fields of the struct type t by their JSON names. It ignores whether t decodes
// itself.
func Members(t reflect.Type) map[string]Member {
	fields, _ := fieldsOf(t)
	members := make(map[string]Member, len(fields))
	for _, f := range fields {
		members[f.name] = Member{f.t, f.quoted}
	}
	return members
}

// readField returns a field with a JSON name, or the type of an embedded struct, or neither.
func readField(sf reflect.StructField, index []int) (f field, embedded reflect.Type, ok bool) {
	tag := sf.Tag.Get("json")
	if tag == "-" {
		return f, nil, true
	}
	inner := sf.Type
	if inner.Kind() == reflect.Pointer && inner.Name() == "" {
		inner = inner.Elem()
	}
	if sf.Anonymous {
		if !sf.IsExported() && inner.Kind() != reflect.Struct {
			return f, nil, true
		}
		if !sf.IsExported() && sf.Type.Kind() == reflect.Pointer {
			return f, inner, false // it cannot be allocated here
		}
	} else if !sf.IsExported() {
		return f, nil, true
	}
	name, options, _ := strings.Cut(tag, ",")
	quoted := false
	for option := range strings.SplitSeq(options, ",") {
		quoted = quoted || option == "string"
	}
	if !validName(name) {
		name = ""
	}
	if name == "" && sf.Anonymous && inner.Kind() == reflect.Struct {
		return f, inner, true
	}
	f = field{name: name, t: sf.Type, index: index, tagged: name != "", quoted: quoted}
	if name == "" {
		f.name = sf.Name
	}
	return f, nil, true
}

// validName reports whether a tag's name is valid. If not, encoding/json uses the name of the field.
func validName(name string) bool {
	return name != "" && strings.IndexFunc(name, func(c rune) bool {
		return !strings.ContainsRune("!#$%&()*+-./:;<=>?@[]^_{|}~ ", c) &&
			!unicode.IsLetter(c) && !unicode.IsDigit(c)
	}) < 0
}

// dominant reduces the fields of one depth to one for each name: a tagged field wins over
// untagged ones. If none wins, the type of the remaining field is nil.
func dominant(found []field) []field {
	var out []field
	at := map[string]int{}
	for _, f := range found {
		i, ok := at[f.name]
		switch {
		case !ok:
			at[f.name] = len(out)
			out = append(out, f)
		case f.tagged && !out[i].tagged:
			out[i] = f
		case f.tagged == out[i].tagged:
			out[i].t = nil
		}
	}
	return out
}
