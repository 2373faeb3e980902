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
		return plan{sharedMapPlan(stringMapPlan()), matchStringMap}
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
	if isShareable(t) {
		take = sharedMapPlan(take)
	}
	return plan{decode: take}
}

// isShareable reports whether maps of type t may be shared. What their elements point to would be
// shared, too.
func isShareable(t reflect.Type) bool {
	switch t.Elem().Kind() {
	case reflect.Slice, reflect.Map, reflect.Pointer, reflect.Interface:
		return false
	}
	return true
}

// sharedMapPlan returns, with ShareMaps, the map that take decoded from the same text before.
func sharedMapPlan(take func(*Decoder, reflect.Value) error) func(*Decoder, reflect.Value) error {
	return func(d *Decoder, v reflect.Value) error {
		if !d.options.ShareMaps || d.skip != nil || d.text[d.pos] != '{' {
			return take(d, v)
		}
		start := d.pos
		raw, err := d.raw()
		if err != nil {
			return err
		}
		return d.shareMap(v, raw, func() error {
			d.pos = start
			return take(d, v)
		})
	}
}

// shareMap sets v to the map that was decoded from raw before, or else calls decode, which sets v.
func (d *Decoder) shareMap(v reflect.Value, raw []byte, decode func() error) error {
	found, ok, keep := d.maps.get(raw)
	if ok && found.Type() == v.Type() {
		v.Set(found)
		return nil
	}
	if err := decode(); err != nil {
		return err
	}
	if keep || ok {
		made := reflect.New(v.Type()).Elem() // v is in an object, which must not be kept alive
		made.Set(v)
		d.maps.put(raw, made, mapBytes(v.Type(), v.Len()))
	}
	return nil
}

// stringMapPlan decodes labels, annotations and the like into a map of the right size.
func stringMapPlan() func(*Decoder, reflect.Value) error {
	keys, values := newSite(), newSite()
	return func(d *Decoder, v reflect.Value) error {
		return d.stringMap(v.Addr().Interface().(*map[string]string), keys, values)
	}
}

// mapBytes estimates the memory of a map of n entries, without what they point to. Go's maps have a
// power of two of slots and use at most seven eighths of them.
func mapBytes(t reflect.Type, n int) int {
	const header = 96
	slot := int(t.Key().Size()+t.Elem().Size()) + 1 // a byte of the hash
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
