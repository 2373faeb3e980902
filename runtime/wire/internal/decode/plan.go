// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package decode

import (
	"encoding"
	"encoding/json"
	"reflect"
	"sync"

	"github.com/indexer-gen/indexer-gen/runtime/wire/internal/intern"
)

// A plan decodes and compares values of one Go type.
type plan struct {
	// decode reads the current value into v, which is settable and zero.
	decode func(d *Decoder, v reflect.Value) error
	// match reads the current value and reports whether v holds it; see match.go. If it is nil, the
	// value is decoded and compared.
	match func(d *Decoder, v reflect.Value) bool
}

var (
	jsonUnmarshaler = reflect.TypeFor[json.Unmarshaler]()
	textUnmarshaler = reflect.TypeFor[encoding.TextUnmarshaler]()
	jsonNumber      = reflect.TypeFor[json.Number]()
)

// plans has the shared plans, each made when it is first needed.
var plans sync.Map // reflect.Type to func() plan

// planOf returns the shared plan of type t.
func planOf(t reflect.Type) plan {
	found, ok := plans.Load(t)
	if !ok {
		found, _ = plans.LoadOrStore(t, sync.OnceValue(func() plan { return newPlan(t) }))
	}
	return found.(func() plan)()
}

// planAt returns the plan of type t at one place within another type. Each place has a plan of its
// own, because it learns whether its strings repeat. Types that may contain themselves would need
// infinitely many, so they share one.
func planAt(t reflect.Type) plan {
	if t.Kind() == reflect.Struct || mayContainItself(t) {
		return planOf(t)
	}
	return newPlan(t)
}

// mayContainItself reports whether t, which is not a struct, may contain itself.
func mayContainItself(t reflect.Type) bool {
	isReference := t.Kind() == reflect.Slice || t.Kind() == reflect.Map || t.Kind() == reflect.Pointer
	return t.Name() != "" && isReference
}

func newPlan(t reflect.Type) plan {
	if special, ok := knownPlan(t); ok {
		return special
	}
	if t.Kind() != reflect.Pointer {
		pointer := reflect.PointerTo(t)
		inJSON, inText := pointer.Implements(jsonUnmarshaler), pointer.Implements(textUnmarshaler)
		switch {
		case (inJSON || inText) && t.Name() == "":
			return plan{decode: refuse} // whether encoding/json calls the method depends on the place
		case inJSON:
			return plan{decode: decodeItself}
		case inText, t == jsonNumber:
			return plan{decode: decodeByReference}
		}
	}
	if mayContainItself(t) {
		return lazily(t)
	}
	return planOfKind(t)
}

// lazily makes the plan when it is first used, because the plan may refer to itself.
func lazily(t reflect.Type) plan {
	made := sync.OnceValue(func() plan { return planOfKind(t) })
	return plan{
		decode: func(d *Decoder, v reflect.Value) error { return made().decode(d, v) },
		match:  func(d *Decoder, v reflect.Value) bool { return made().matches(d, v) },
	}
}

func planOfKind(t reflect.Type) plan {
	switch t.Kind() {
	case reflect.Bool:
		return plan{decodeBool, matchBool}
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return plan{decodeInt, matchInt}
	case reflect.String:
		return stringPlan()
	case reflect.Pointer:
		return pointerPlan(t).shared()
	case reflect.Slice:
		return slicePlan(t).shared()
	case reflect.Map:
		return mapPlan(t).shared()
	case reflect.Struct:
		p := &structPlan{t: t}
		return plan{p.decode, p.match}
	default:
		return plan{decode: decodeByReference}
	}
}

// refuse makes the reference decoder decode the whole object.
func refuse(*Decoder, reflect.Value) error { return ErrOdd }

func pointerPlan(t reflect.Type) plan {
	elem := t.Elem()
	if elem.Kind() == reflect.Pointer {
		return plan{decode: decodeByReference}
	}
	inner := planAt(elem)
	return plan{
		decode: func(d *Decoder, v reflect.Value) error {
			if null, err := d.null(); null || err != nil {
				return err
			}
			into := reflect.New(elem)
			d.size += int(elem.Size())
			if err := inner.decode(d, into.Elem()); err != nil {
				return err
			}
			v.Set(into)
			return nil
		},
		match: func(d *Decoder, v reflect.Value) bool {
			if v.IsNil() || d.text[d.pos] == 'n' {
				return v.IsNil() && d.literal("null") == nil
			}
			return inner.matches(d, v.Elem())
		},
	}
}

func stringPlan() plan {
	id := intern.Places.Next()
	take := func(d *Decoder, v reflect.Value) error {
		if null, err := d.null(); null || err != nil {
			return err
		}
		text, err := d.quoted()
		if err == nil {
			v.SetString(d.cache.String(id, text))
		}
		return err
	}
	return plan{take, matchString}
}

func decodeBool(d *Decoder, v reflect.Value) error {
	switch d.text[d.pos] {
	case 't':
		v.SetBool(true)
		return d.literal("true")
	case 'f':
		return d.literal("false")
	}
	return d.literal("null")
}
