// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package stringindex

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"github.com/indexer-gen/indexer-gen/runtime/canonical"
)

// Encode returns an index value as a string. Different values of one type have different strings.
//
// A string is its own encoding. Numbers are decimal, and booleans are true or false. A [canonical.Time]
// is in RFC 3339 format, and a [canonical.Quantity] in scientific notation. The fields of a struct and
// the elements of an array are encoded and joined by slashes, so a types.NamespacedName is
// namespace/name. Slashes and percent signs within a field are escaped as %2F and %25.
//
// Encode panics if V contains a type that index keys cannot contain, such as a float or a pointer. The
// generator refuses such keys.
func Encode[V comparable](value V) string {
	switch value := any(value).(type) {
	case string:
		return value
	case canonical.Time:
		return value.String()
	case canonical.Quantity:
		return value.Scientific()
	}
	return encode(reflect.ValueOf(value))
}

func encode(v reflect.Value) string {
	switch v.Kind() {
	case reflect.String:
		return v.String()
	case reflect.Bool:
		return strconv.FormatBool(v.Bool())
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return strconv.FormatInt(v.Int(), 10)
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		return strconv.FormatUint(v.Uint(), 10)
	case reflect.Struct:
		return join(v.NumField(), v.Field)
	case reflect.Array:
		return join(v.Len(), v.Index)
	}
	//nolint:forbidigo // documented: the generator refuses such keys
	panic(fmt.Sprintf("stringindex: a %s cannot be part of an index key", v.Type()))
}

var escaper = strings.NewReplacer("%", "%25", "/", "%2F")

// join encodes n parts. The parts of a struct or array type are always equally many, so an empty part
// is not ambiguous.
func join(n int, part func(int) reflect.Value) string {
	parts := make([]string, n)
	for i := range parts {
		parts[i] = escaper.Replace(encodePart(part(i)))
	}
	return strings.Join(parts, "/")
}

// encodePart encodes a part as Encode would. Unexported fields cannot be converted to an interface;
// they are encoded by kind.
func encodePart(v reflect.Value) string {
	if v.CanInterface() {
		switch value := v.Interface().(type) {
		case canonical.Time:
			return value.String()
		case canonical.Quantity:
			return value.Scientific()
		}
	}
	return encode(v)
}
