// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package fields reads the JSON names of struct fields as encoding/json does.
package fields

import (
	"cmp"
	"reflect"
	"slices"
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
}

// Of returns the fields of t as encoding/json finds them. A field of t hides those of the same name in embedded
// structs. ok is false if t needs more rules, which no API type does: a name or an embedded type occurs twice, or
// a name is unusual. It is also false if t embeds a pointer to an unexported type, which reflection cannot allocate.
func Of(t reflect.Type) (fields []Field, ok bool) { return of(t, map[reflect.Type]bool{}) }

func of(t reflect.Type, visited map[reflect.Type]bool) (fields []Field, ok bool) {
	if visited[t] {
		return nil, false
	}
	visited[t], ok = true, true
	own, within := map[string]bool{}, map[string]bool{} // names
	var embedded []Field
	for i := range t.NumField() {
		f, isEmbedded, known := readField(t.Field(i))
		f.Index = []int{i}
		ok = ok && known && !own[f.Name]
		switch {
		case isEmbedded:
			embedded = append(embedded, f)
		case f.Name != "":
			own[f.Name] = true
			fields = append(fields, f)
		}
	}
	for _, outer := range embedded {
		inner, known := of(outer.Type, visited)
		ok = ok && known
		for _, f := range inner {
			if own[f.Name] {
				continue
			}
			ok = ok && !within[f.Name]
			within[f.Name] = true
			f.Index = slices.Concat(outer.Index, f.Index)
			fields = append(fields, f)
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

// readField returns a field with its name in JSON, which is empty if JSON does not have the field. isEmbedded says
// that JSON has the fields of Type, a struct, in place of the field.
func readField(sf reflect.StructField) (f Field, isEmbedded, ok bool) {
	tag := sf.Tag.Get("json")
	if tag == "-" || !sf.IsExported() && !sf.Anonymous {
		return f, false, true
	}
	inner := sf.Type
	if inner.Kind() == reflect.Pointer && inner.Name() == "" {
		inner = inner.Elem()
	}
	isStruct := inner.Kind() == reflect.Struct
	switch {
	case sf.IsExported():
	case !isStruct:
		return f, false, true
	case sf.Type.Kind() == reflect.Pointer:
		return Field{Type: inner}, true, false // it cannot be allocated here
	}
	name, options, _ := strings.Cut(tag, ",")
	if name == "" && sf.Anonymous && isStruct {
		return Field{Type: inner}, true, true
	}
	quoted := slices.Contains(strings.Split(options, ","), "string")
	usual := !strings.ContainsFunc(name, func(c rune) bool {
		return !unicode.IsLetter(c) && !unicode.IsDigit(c) && !strings.ContainsRune("$-./_", c)
	})
	return Field{Name: cmp.Or(name, sf.Name), Type: sf.Type, Quoted: quoted}, false, usual
}
