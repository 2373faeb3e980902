// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package protobuf

import (
	"reflect"
	"time"

	"github.com/indexer-gen/indexer-gen/runtime/internal/intern"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// knownMessagePlan returns the plan of a type that decodes itself and is frequent enough to be decoded
// here.
func knownMessagePlan(t reflect.Type) (p messagePlan, ok bool) {
	switch t {
	case reflect.TypeFor[metav1.Time]():
		return messagePlan{wire: lengthDelimited, decode: decodeTimeField, match: matchTimeField}, true
	case reflect.TypeFor[metav1.FieldsV1]():
		return messagePlan{
			wire:   lengthDelimited,
			decode: decodeFieldsV1Field,
			match:  matchFieldsV1Field,
		}, true
	}
	return messagePlan{}, false
}

// unmarshalField calls Unmarshal. A slice that is present is not nil, as in generated code.
func unmarshalField(d *Decoder, v reflect.Value, tag uint64) error {
	data, err := d.data(tag)
	if err != nil {
		return err
	}
	if v.Kind() == reflect.Slice && v.IsNil() {
		v.Set(reflect.MakeSlice(v.Type(), 0, 0))
	}
	return v.Addr().Interface().(unmarshaler).Unmarshal(data)
}

// timeField reads a time, which is a message with seconds, and nanoseconds that are ignored.
func (d *Decoder) timeField(tag uint64) (t time.Time, err error) {
	data, err := d.data(tag)
	if err != nil || len(data) == 0 {
		return t, err
	}
	end, outer := d.pos, d.end
	d.pos, d.end = d.pos-len(data), d.pos
	var seconds uint64
	for d.pos < end && err == nil {
		if tag, err = d.tag(); err != nil {
			break
		}
		switch tag >> 3 {
		case 1:
			seconds, err = d.scalar(tag)
		case 2:
			_, err = d.scalar(tag)
		default:
			err = d.skipField(tag)
		}
	}
	d.end = outer
	return time.Unix(int64(seconds), 0).Local(), err
}

func decodeTimeField(d *Decoder, v reflect.Value, tag uint64) error {
	t, err := d.timeField(tag)
	if err == nil {
		v.Addr().Interface().(*metav1.Time).Time = t
	}
	return err
}

func matchTimeField(d *Decoder, v reflect.Value, tag uint64) bool {
	t, err := d.timeField(tag)
	return err == nil && t == v.Addr().Interface().(*metav1.Time).Time
}

// fieldsV1In returns the JSON in the message of a FieldsV1 if nothing else is in it.
func (d *Decoder) fieldsV1In(tag uint64) (data, raw []byte, err error) {
	data, err = d.data(tag)
	if err != nil || len(data) == 0 || data[0] != 1<<3|lengthDelimited {
		return data, nil, err
	}
	after, outer := d.pos, d.end
	d.pos, d.end = after-len(data)+1, after
	raw, err = d.bytes()
	if err != nil || d.pos != after {
		raw, err = nil, nil // Unmarshal judges it
	}
	d.pos, d.end = after, outer
	return data, raw, nil
}

// decodeFieldsV1Field shares equal values, as decodeFieldsV1 does.
func decodeFieldsV1Field(d *Decoder, v reflect.Value, tag uint64) error {
	data, raw, err := d.fieldsV1In(tag)
	if err != nil {
		return err
	}
	into := v.Addr().Interface().(*metav1.FieldsV1)
	if raw == nil {
		*into = *into.DeepCopy() // Unmarshal may reuse bytes that are shared
		return into.Unmarshal(data)
	}
	return d.cache.FieldsV1(into, raw, func() error { return into.Unmarshal(data) })
}

func matchFieldsV1Field(d *Decoder, v reflect.Value, tag uint64) bool {
	_, raw, err := d.fieldsV1In(tag)
	return err == nil && raw != nil && intern.IsFieldsV1(v.Addr().Interface().(*metav1.FieldsV1), raw)
}
