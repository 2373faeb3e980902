// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package decode

import (
	"encoding/json"
	"reflect"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	kjson "sigs.k8s.io/json"
)

// knownPlan returns the plan of a frequent API type whose UnmarshalJSON is replaced here.
func knownPlan(t reflect.Type) (p plan, ok bool) {
	switch t {
	case reflect.TypeFor[metav1.Time]():
		return plan{decodeTime, matchTime}, true
	case reflect.TypeFor[metav1.FieldsV1]():
		return plan{decodeFieldsV1, matchFieldsV1}, true
	}
	return plan{}, false
}

// decodeItself calls UnmarshalJSON.
func decodeItself(d *Decoder, v reflect.Value) error {
	return d.foreign(v.Addr().Interface().(json.Unmarshaler).UnmarshalJSON)
}

// decodeByReference decodes the value with the reference decoder.
func decodeByReference(d *Decoder, v reflect.Value) error {
	return d.foreign(func(raw []byte) error {
		return kjson.UnmarshalCaseSensitivePreserveInts(raw, v.Addr().Interface())
	})
}

// foreign decodes the value with code that may panic.
func (d *Decoder) foreign(unmarshal func(raw []byte) error) (err error) {
	raw, err := d.pruned()
	if err != nil {
		return err
	}
	d.size += foreignSize * len(raw)
	err = ErrOdd
	defer func() { _ = recover() }() // the reference decoder panics too
	if unmarshal(raw) == nil {
		err = nil
	}
	return err
}

// pruned reads the current value and returns its text without skipped parts.
func (d *Decoder) pruned() ([]byte, error) {
	raw, err := d.raw()
	if err == nil && d.skip != nil {
		raw = Prune(raw, d.skip)
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

func decodeFieldsV1(d *Decoder, v reflect.Value) error {
	if null, err := d.null(); null || err != nil {
		return err
	}
	raw, err := d.pruned()
	if err != nil {
		return err
	}
	into := v.Addr().Interface().(*metav1.FieldsV1)
	if d.cache.FieldsV1(into, raw, func() error { return into.UnmarshalJSON(raw) }) != nil {
		return ErrOdd
	}
	return nil
}
