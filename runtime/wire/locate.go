// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
)

// locate returns the path, such as .spec.ports[2].port, of the first innermost
// value that keeps raw from decoding into an E, and the error of that value; ""
// and fault if that is raw itself. It decodes again and again on the way down,
// which is for the rare object that failed.
func locate[E any](raw []byte, fault error) (string, error) {
	return locateIn(raw, reflect.TypeFor[E](), fault, maxPathLength)
}

const maxPathLength = 64

func locateIn(raw []byte, t reflect.Type, fault error, depth int) (path string, found error) {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	found = fault
	if depth == 0 || len(raw) == 0 || decodesItself(t) {
		return "", fault
	}
	// descend goes on in value, which is at step, if it cannot be decoded.
	descend := func(step string, value []byte, t reflect.Type) bool {
		fault := tryDecode(value, t)
		if fault == nil {
			return true
		}
		path, found = locateIn(value, t, fault, depth-1)
		path = step + path
		return false
	}
	switch {
	case raw[0] == '{' && t.Kind() == reflect.Struct:
		members(raw, func(name string, value []byte) bool {
			field, ok := fieldNamed(t, name, maxPathLength)
			return !ok || descend("."+name, value, field)
		})
	case raw[0] == '{' && t.Kind() == reflect.Map:
		members(raw, func(name string, value []byte) bool {
			return descend(fmt.Sprintf("[%q]", name), value, t.Elem())
		})
	case raw[0] == '[' && (t.Kind() == reflect.Slice || t.Kind() == reflect.Array):
		f := framerOver(raw)
		_ = f.elements(func(i int) error {
			value, err := f.value()
			if err != nil {
				return err
			}
			if !descend(fmt.Sprintf("[%d]", i), value, t.Elem()) {
				return found
			}
			return nil
		})
	}
	return path, found
}

func tryDecode(raw []byte, t reflect.Type) (err error) {
	defer recoverInto(&err)
	return decodeValue(raw, reflect.New(t).Interface())
}

// decodesItself tells whether what is inside a t is for its own method to say.
func decodesItself(t reflect.Type) bool {
	return reflect.PointerTo(t).Implements(reflect.TypeFor[json.Unmarshaler]())
}

// fieldNamed returns the type of the field of the struct t that decodes the
// member name; the fields of structs embedded without a name, to the depth
// given, count as t's own.
func fieldNamed(t reflect.Type, name string, depth int) (reflect.Type, bool) {
	var embedded []reflect.Type
	for i := range t.NumField() {
		field := t.Field(i)
		tag, options, _ := strings.Cut(field.Tag.Get("json"), ",")
		inner := field.Type
		if inner.Kind() == reflect.Pointer {
			inner = inner.Elem()
		}
		switch {
		case tag == "-" && options == "":
		case tag == "" && field.Anonymous && inner.Kind() == reflect.Struct:
			embedded = append(embedded, inner)
		case !field.IsExported():
		case tag == name, tag == "" && field.Name == name:
			return field.Type, true
		}
	}
	if depth == 0 {
		return nil, false
	}
	for _, inner := range embedded {
		if found, ok := fieldNamed(inner, name, depth-1); ok {
			return found, true
		}
	}
	return nil, false
}
