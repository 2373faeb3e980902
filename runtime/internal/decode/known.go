// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package decode

import (
	"bytes"
	"encoding/json"
	"reflect"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	kjson "sigs.k8s.io/json"
)

type fieldsV1 = metav1.FieldsV1

// knownPlan returns the plan of a frequent API type whose UnmarshalJSON is replaced here.
func knownPlan(t reflect.Type) (p plan, ok bool) {
	switch t {
	case reflect.TypeFor[metav1.Time]():
		return plan{decodeTime, matchTime}, true
	case reflect.TypeFor[metav1.FieldsV1]():
		return plan{decodeFieldsV1, matchFieldsV1}, true
	case reflect.TypeFor[intstr.IntOrString]():
		return plan{decode: intOrStringPlan()}, true
	}
	return plan{}, false
}

// decodeItself calls UnmarshalJSON.
func decodeItself(d *Decoder, v reflect.Value) error {
	start := d.pos
	raw, err := d.pruned()
	if err != nil {
		return err
	}
	if v.Addr().Interface().(json.Unmarshaler).UnmarshalJSON(raw) != nil {
		d.pos = start
		return ErrOdd
	}
	return nil
}

// decodeByReference decodes the value with the reference decoder.
func decodeByReference(d *Decoder, v reflect.Value) error {
	start := d.pos
	raw, err := d.pruned()
	if err != nil {
		return err
	}
	if kjson.UnmarshalCaseSensitivePreserveInts(raw, v.Addr().Interface()) != nil {
		d.pos = start
		return ErrOdd
	}
	return nil
}

// pruned reads the current value and returns its text without skipped parts.
func (d *Decoder) pruned() ([]byte, error) {
	raw, err := d.raw()
	if err == nil && d.skip != nil {
		raw = d.skip.Prune(raw)
	}
	return raw, err
}

func decodeTime(d *Decoder, v reflect.Value) error {
	t, err := d.time()
	v.Addr().Interface().(*metav1.Time).Time = t
	return err
}

// time reads a time. null is the zero time.
func (d *Decoder) time() (time.Time, error) {
	if null, err := d.null(); null || err != nil {
		return time.Time{}, err
	}
	text, err := d.quoted()
	if err != nil {
		return time.Time{}, err
	}
	var t time.Time
	if t.UnmarshalText(text) != nil {
		return t, ErrOdd
	}
	return t.Local(), nil
}

// decodeFieldsV1 shares equal fieldsV1 between objects, like apimachinery's build tag fieldsv1string.
// They are large, half of each object in examples/syncbench, and repeat. They must not be modified in
// place. If one was modified, it is not shared again.
func decodeFieldsV1(d *Decoder, v reflect.Value) error {
	if null, err := d.null(); null || err != nil {
		return err
	}
	raw, err := d.pruned()
	if err != nil {
		return err
	}
	into := v.Addr().Interface().(*metav1.FieldsV1)
	if d.sharedFieldsV1(into, raw, func() error { return into.UnmarshalJSON(raw) }) != nil {
		return ErrOdd
	}
	return nil
}

// sharedFieldsV1 sets into to the value of raw that was decoded before, or else calls decode, which
// copies raw.
func (d *Decoder) sharedFieldsV1(into *fieldsV1, raw []byte, decode func() error) error {
	found, ok, keep := d.fields.get(raw)
	if ok && isFieldsV1(&found, raw) {
		*into = found
		return nil
	}
	*into = fieldsV1{}
	if err := decode(); err != nil {
		return err
	}
	if keep || ok {
		d.fields.put(raw, *into, 0)
	}
	return nil
}

// isFieldsV1 reports whether f has the JSON raw; null means none. It uses MarshalJSON, which returns
// the bytes of f, because apimachinery before v0.36 has no GetRawBytes, and there is no field Raw with
// the build tag fieldsv1string.
func isFieldsV1(f *fieldsV1, raw []byte) bool {
	held, err := f.MarshalJSON()
	return err == nil && bytes.Equal(held, raw)
}

func intOrStringPlan() func(*Decoder, reflect.Value) error {
	id := newSite()
	return func(d *Decoder, v reflect.Value) error {
		into := v.Addr().Interface().(*intstr.IntOrString)
		if null, err := d.null(); null || err != nil {
			return err
		}
		if d.text[d.pos] == '"' {
			text, err := d.quoted()
			into.Type, into.StrVal = intstr.String, d.intern(id, text)
			return err
		}
		n, err := d.integer()
		if err != nil {
			return err
		}
		if into.IntVal = int32(n); int64(into.IntVal) != n {
			return ErrOdd
		}
		return nil
	}
}
