// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package fields reads the JSON names of struct fields as encoding/json does.
package fields

import (
	"reflect"
	"strings"
	"unicode"
)

// Field is a field of a struct, or of a struct embedded in it.
type Field struct {
	Name  string // in JSON
	Type  reflect.Type
	Index []int
	// Quoted is true if the field has the option "string".
	Quoted bool
	tagged bool
}

// Of returns the fields of t by the rules of encoding/json. Of several fields with one name it
// chooses the one that is embedded least deeply, then the one with a tag, and none if several remain.
// ok is false if t embeds a pointer to an
// unexported type, which reflection cannot allocate.
func Of(t reflect.Type) (fields []Field, ok bool) {
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
		var found []Field
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
				if f.Name != "" {
					found = append(found, f)
					if count[l.t] > 1 {
						found = append(found, f) // it cancels itself
					}
				}
			}
		}
		for _, f := range dominant(found) {
			if !decided[f.Name] && f.Type != nil {
				fields = append(fields, f)
			}
			decided[f.Name] = true
		}
	}
	return fields, ok
}

// ByName returns the fields of the struct type t by their JSON names. It ignores whether t decodes
// itself.
func ByName(t reflect.Type) map[string]Field {
	all, _ := Of(t)
	byName := make(map[string]Field, len(all))
	for _, f := range all {
		byName[f.Name] = f
	}
	return byName
}

// readField returns a field with a JSON name, or the type of an embedded struct, or neither.
func readField(sf reflect.StructField, index []int) (f Field, embedded reflect.Type, ok bool) {
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
	f = Field{Name: name, Type: sf.Type, Index: index, tagged: name != "", Quoted: quoted}
	if name == "" {
		f.Name = sf.Name
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
func dominant(found []Field) []Field {
	var out []Field
	at := map[string]int{}
	for _, f := range found {
		i, ok := at[f.Name]
		switch {
		case !ok:
			at[f.Name] = len(out)
			out = append(out, f)
		case f.tagged && !out[i].tagged:
			out[i] = f
		case f.tagged == out[i].tagged:
			out[i].Type = nil
		}
	}
	return out
}
