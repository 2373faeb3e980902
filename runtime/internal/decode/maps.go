// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package decode

import "reflect"

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
	site := newSite()
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
			below := skip.member(name)
			if below.whole() {
				err = d.skipValue()
			} else {
				into.SetString(d.intern(site, name))
				value.SetZero()
				d.skip = below
				if err = elem.decode(d, value); err == nil {
					v.SetMapIndex(into, value)
				}
			}
			if err != nil {
				return err
			}
			more, err = d.more('}')
		}
		d.skip = skip
		return err
	}
	return plan{decode: take}
}

// stringMapPlan decodes labels, annotations and the like into a map of the right size. With ShareMaps
// it returns the map that was decoded from the same text before.
func stringMapPlan() func(*Decoder, reflect.Value) error {
	keys, values := newSite(), newSite()
	return func(d *Decoder, v reflect.Value) error {
		into := v.Addr().Interface().(*map[string]string)
		if !d.options.ShareMaps || d.skip != nil || d.text[d.pos] != '{' {
			return d.stringMap(into, keys, values)
		}
		start := d.pos
		raw, err := d.raw()
		if err != nil {
			return err
		}
		found, ok, keep := d.maps.get(raw)
		if ok {
			*into = found
			return nil
		}
		d.pos = start
		if err := d.stringMap(into, keys, values); err != nil {
			return err
		}
		if keep {
			d.maps.put(raw, *into, mapBytes(len(*into)))
		}
		return nil
	}
}

// mapBytes estimates the memory of a map of n strings, without the strings. Go's maps have a power of
// two of slots and use at most seven eighths of them.
func mapBytes(n int) int {
	const header, slot = 96, 33 // two strings and a byte of their hash
	slots := 8
	for slots/8*7 < n {
		slots *= 2
	}
	return header + slots*slot
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
		if d.skip.member(name).whole() {
			err = d.skipValue()
		} else {
			key := d.intern(keys, name)
			value := ""
			var null bool
			if null, err = d.null(); err == nil && !null {
				var raw []byte
				if raw, err = d.quoted(); err == nil {
					value = d.intern(values, raw)
				}
			}
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
	d.keepTexts(texts)
	return nil
}
