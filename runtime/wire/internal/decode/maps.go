// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package decode

import (
	"reflect"

	"github.com/indexer-gen/indexer-gen/runtime/wire/internal/intern"
)

// mapPlan decodes an object into a map.
func mapPlan(t reflect.Type) plan {
	key := t.Key()
	decodesText := key.Implements(textUnmarshaler) || reflect.PointerTo(key).Implements(textUnmarshaler)
	if key.Kind() != reflect.String || decodesText {
		return plan{decode: decodeByReference}
	}
	if t == reflect.TypeFor[map[string]string]() {
		return plan{stringMapPlan(), matchStringMap}
	}
	elem := planAt(t.Elem())
	site := intern.Places.Next()
	take := func(d *Decoder, v reflect.Value) error {
		if null, err := d.null(); null || err != nil {
			return err
		}
		if d.text[d.pos] != '{' {
			return ErrOdd
		}
		v.Set(reflect.MakeMap(t))
		skip := d.skip
		more, err := d.open('}')
		if !more || err != nil {
			return err
		}
		into, value := reflect.New(key).Elem(), reflect.New(t.Elem()).Elem()
		for more && err == nil {
			var name []byte
			if name, err = d.name(); err != nil {
				return err
			}
			below := skip.Member(name)
			if below.Whole() {
				err = d.skipValue()
			} else {
				into.SetString(d.cache.String(site, name))
				value.SetZero()
				d.skip = below
				if err = d.inMember(into.String(), elem.decode(d, value)); err == nil {
					v.SetMapIndex(into, value)
				}
			}
			if err != nil {
				return err
			}
			more, err = d.more('}')
		}
		d.skip = skip
		d.size += intern.SizeOfMap(t, v.Len())
		return err
	}
	return plan{decode: take}
}

// stringMapPlan decodes labels, annotations and the like into a map of the right size.
func stringMapPlan() func(*Decoder, reflect.Value) error {
	keys, values := intern.Places.Next(), intern.Places.Next()
	return func(d *Decoder, v reflect.Value) error {
		return d.stringMap(v.Addr().Interface().(*map[string]string), keys, values)
	}
}

func (d *Decoder) stringMap(into *map[string]string, keys, values int) error {
	if null, err := d.null(); null || err != nil {
		return err
	}
	if d.text[d.pos] != '{' {
		return ErrOdd
	}
	texts := d.texts[:0]
	more, err := d.open('}')
	for more && err == nil {
		var name []byte
		if name, err = d.name(); err != nil {
			return err
		}
		if d.skip.Member(name).Whole() {
			err = d.skipValue()
		} else {
			key := d.cache.String(keys, name)
			value := ""
			var null bool
			if null, err = d.null(); err == nil && !null {
				var raw []byte
				if raw, err = d.quoted(); err == nil {
					value = d.cache.String(values, raw)
				}
			}
			err = d.inMember(key, err)
			texts = append(texts, key, value)
		}
		if err != nil {
			return err
		}
		more, err = d.more('}')
	}
	if err != nil {
		return err
	}
	made := make(map[string]string, len(texts)/2)
	for i := 0; i < len(texts); i += 2 {
		made[texts[i]] = texts[i+1]
	}
	*into = made
	d.size += intern.SizeOfMap(reflect.TypeFor[map[string]string](), len(made))
	d.keepTexts(texts)
	return nil
}
