// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package protobuf

import (
	"encoding"
	"encoding/json"
	"fmt"
	"reflect"
	"strconv"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// messagePlan decodes the fields of a message that have values of one Go type.
type messagePlan struct {
	wire uint64 // the wire type of a value
	// decode reads a value after its tag into what p points to, which may be the value of an earlier
	// field of the same number. A repeated field is read as far as its elements follow each other.
	// held points to the value in the cached object, or is nil; see doc.go.
	decode func(d *Decoder, p, held pointer, tag uint64) error
	// repeated is set for slices and maps.
	repeated bool
	message  *Message // of the value or its elements, or nil
}

// unmarshaler is implemented by types that decode their message themselves.
type unmarshaler interface{ Unmarshal(data []byte) error }

var (
	jsonUnmarshaler = reflect.TypeFor[json.Unmarshaler]()
	textUnmarshaler = reflect.TypeFor[encoding.TextUnmarshaler]()
)

// isTagged reports whether each JSON field of t has a field number.
func isTagged(t reflect.Type) bool {
	for i := range t.NumField() {
		sf := t.Field(i)
		if _, tagged := fieldNumber(sf); tagged || sf.Type == reflect.TypeFor[metav1.TypeMeta]() {
			continue
		}
		if !sf.IsExported() || sf.Tag.Get("json") != "-" {
			return false
		}
	}
	return true
}

// maxNumber is the largest number of a field. Those of Kubernetes APIs are below 50.
const maxNumber = 63

// fieldNumber returns the number in a field's protobuf tag, such as "bytes,2,opt,name=spec".
func fieldNumber(sf reflect.StructField) (number int32, tagged bool) {
	parts := strings.Split(sf.Tag.Get("protobuf"), ",")
	if len(parts) < 2 || !sf.IsExported() {
		return 0, false
	}
	n, err := strconv.ParseInt(parts[1], 10, 32)
	return int32(n), err == nil && n > 0 && n <= maxNumber
}

// jsonName returns the name of a field in JSON. inline says that JSON has the fields of a struct in
// place of the struct.
func jsonName(sf reflect.StructField) (name string, inline bool) {
	name, _, _ = strings.Cut(sf.Tag.Get("json"), ",")
	switch {
	case name != "":
		return name, false
	case sf.Anonymous:
		return "", true
	}
	return sf.Name, false
}

// planOf returns the plan for values of type t in the field name, encoded as those of type whole.
func (m *Message) planOf(name string, t, whole reflect.Type) (messagePlan, error) {
	if t.Kind() != reflect.Pointer && whole.Kind() == reflect.Pointer {
		whole = whole.Elem()
	}
	_, decodesItself := reflect.Zero(reflect.PointerTo(t)).Interface().(unmarshaler)
	known, isKnown := knownMessagePlan(t)
	if t != whole {
		pointer := reflect.PointerTo(t)
		if pointer.Implements(jsonUnmarshaler) || pointer.Implements(textUnmarshaler) {
			return messagePlan{}, fmt.Errorf("%v decodes itself from JSON; use %v", t, whole)
		}
		wholeItself := reflect.PointerTo(whole).Implements(reflect.TypeFor[unmarshaler]())
		if wholeItself && (whole.Kind() != reflect.Struct || !isTagged(whole)) {
			return messagePlan{}, fmt.Errorf("%v is not %v in protobuf; use %v", t, whole, whole)
		}
	}
	switch {
	case t == whole && isKnown:
		return known, nil
	case t.Kind() == reflect.Struct && whole.Kind() == reflect.Struct && isTagged(whole):
		inner := messageOf(t, whole)
		m.nested = append(m.nested, nested{name, inner})
		return messagePlan{wire: lengthDelimited, decode: inner.decodeField, message: inner}, nil
	case t == whole && decodesItself:
		return messagePlan{wire: lengthDelimited, decode: unmarshalFieldPlan(t)}, nil
	case t.Kind() != whole.Kind():
		return messagePlan{}, fmt.Errorf("%v is not %v in protobuf; use %v", t, whole, whole)
	}
	switch t.Kind() {
	case reflect.Bool:
		return messagePlan{wire: varint, decode: decodeBoolField}, nil
	case reflect.Int32:
		return messagePlan{wire: varint, decode: decodeIntField[int32]}, nil
	case reflect.Int64:
		return messagePlan{wire: varint, decode: decodeIntField[int64]}, nil
	case reflect.Float64: // in CustomResourceDefinitions
		return messagePlan{wire: fixed64, decode: decodeFloatField}, nil
	case reflect.String:
		return stringFieldPlan(), nil
	case reflect.Pointer:
		p, err := m.pointerFieldPlan(name, t, whole)
		if p.message != nil {
			p = p.shared(t)
		}
		return p, err
	case reflect.Slice:
		p, err := m.sliceFieldPlan(name, t, whole)
		if p.repeated {
			p = p.shared(t)
		}
		return p, err
	case reflect.Map:
		p, err := m.mapFieldPlan(name, t, whole)
		return p.shared(t), err
	default:
		return messagePlan{}, fmt.Errorf("a %v has no form in protobuf", t)
	}
}
