// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package protobuf

import (
	"reflect"
	"time"

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

func decodeTimeField(d *Decoder, p, _ pointer, tag uint64) error {
	t, err := d.timeField(tag)
	if err == nil {
		as[metav1.Time](p).Time = t
	}
	return err
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
		raw = nil // Unmarshal judges it
	}
	d.pos, d.end = after, outer
	return data, raw, nil
}

// decodeFieldsV1Field shares equal values, as package decode does.
func decodeFieldsV1Field(d *Decoder, p, held pointer, tag uint64) error {
	data, raw, err := d.fieldsV1In(tag)
	if err != nil {
		return err
	}
	into := as[metav1.FieldsV1](p)
	if raw == nil {
		*into = *into.DeepCopy() // Unmarshal may reuse bytes that are shared
		return into.Unmarshal(data)
	}
	if !held.isNil() && string(raw) != "null" && intern.IsFieldsV1(as[metav1.FieldsV1](held), raw) {
		*into = *as[metav1.FieldsV1](held)
		return nil
	}
	return d.cache.FieldsV1(into, raw, func() error { return into.Unmarshal(data) })
}
