// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package protobuf

import (
	"reflect"

	"github.com/indexer-gen/indexer-gen/runtime/wire/internal/intern"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// knownMessagePlan returns the plan of a type that decodes itself and is frequent enough to be decoded
// here.
func knownMessagePlan(t reflect.Type) (p messagePlan, ok bool) {
	switch t {
	case reflect.TypeFor[metav1.Time]():
		return messagePlan{wire: lengthDelimited, decode: decodeTimeField}, true
	case reflect.TypeFor[metav1.FieldsV1]():
		return messagePlan{wire: lengthDelimited, decode: decodeFieldsV1Field}, true
	}
	return messagePlan{}, false
}

// unmarshalFieldPlan calls Unmarshal. A slice that is present is not nil, as in generated code.
func unmarshalFieldPlan(t reflect.Type) func(d *Decoder, p, held pointer, tag uint64) error {
	return func(d *Decoder, p, held pointer, tag uint64) error {
		data, err := d.data(tag)
		if err != nil {
			return err
		}
		v := p.value(t)
		if t.Kind() == reflect.Slice && v.IsNil() {
			v.Set(reflect.MakeSlice(t, 0, 0))
		}
		err = v.Addr().Interface().(unmarshaler).Unmarshal(data)
		if t.Kind() == reflect.Slice {
			v.SetCap(v.Len())
		}
		if err != nil || held.isNil() || p.equal(held, t.Size()) {
			return err
		}
		if before := held.value(t); reflect.DeepEqual(v.Interface(), before.Interface()) {
			v.Set(before)
		}
		return nil
	}
}

// decodeTimeField calls Unmarshal without reflection.
func decodeTimeField(d *Decoder, p, _ pointer, tag uint64) error {
	data, err := d.data(tag)
	if err != nil {
		return err
	}
	return as[metav1.Time](p).Unmarshal(data)
}

// decodeFieldsV1Field shares equal values, as package decode does.
func decodeFieldsV1Field(d *Decoder, p, held pointer, tag uint64) error {
	data, err := d.data(tag)
	if err != nil {
		return err
	}
	var raw []byte
	into := as[metav1.FieldsV1](p)
	if err := Fields(data, &raw); err != nil || raw == nil {
		*into = *into.DeepCopy() // Unmarshal may reuse bytes that are shared
		return into.Unmarshal(data)
	}
	if !held.isNil() && string(raw) != "null" && intern.IsFieldsV1(as[metav1.FieldsV1](held), raw) {
		*into = *as[metav1.FieldsV1](held)
		return nil
	}
	return d.cache.FieldsV1(into, raw, func() error { return into.Unmarshal(data) })
}
