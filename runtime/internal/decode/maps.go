// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package decode

import "reflect"

// entryScratch is where an entry of a map is decoded.
type entryScratch struct{ key, elem reflect.Value }

// mapPlan decodes an object into a map.
func mapPlan(t reflect.Type) plan {
	key := t.Key()
	if p := reflect.PointerTo(key); key.Kind() != reflect.String || p.Implements(textUnmarshaler) || key.Implements(textUnmarshaler) {
		return plan{decode: decodeByReference}
	}
	if t == reflect.TypeFor[map[string]string]() {
		return plan{stringMapPlan(), matchStringMap}
	}
	elem := planAt(t.Elem())
	site := newSite()
	id := newScratch()
	size := int(key.Size()+t.Elem().Size()) + scratchHeader
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
		entry := d.takeEntry(id, t, size)
		for more && err == nil {
			var name []byte
			if name, err = d.name(); err != nil {
				return err
			}
			below := skip.member(name)
			if below.whole() {
				err = d.skipValue()
			} else {
				entry.key.SetString(d.intern(site, name))
				entry.elem.SetZero()
				d.skip = below
				if err = elem.decode(d, entry.elem); err == nil {
					v.SetMapIndex(entry.key, entry.elem)
				}
			}
			if err != nil {
				return err
			}
			more, err = d.more('}')
		}
		d.skip = skip
		entry.key.SetZero()
		entry.elem.SetZero()
		if d.keepScratch(size) {
			kept := d.entries.at(id)
			*kept = append(*kept, entry)
		}
		return err
	}
	return plan{decode: take}
}

func (d *Decoder) takeEntry(id int, t reflect.Type, size int) entryScratch {
	kept := d.entries.at(id)
	if n := len(*kept); n > 0 {
		taken := (*kept)[n-1]
		*kept = (*kept)[:n-1]
		d.scratch -= size
		return taken
	}
	return entryScratch{reflect.New(t.Key()).Elem(), reflect.New(t.Elem()).Elem()}
}

// stringMapPlan decodes labels, annotations and their like: into a map of the
// right size, or, if maps are to be shared, into one that was made of the same
// text.
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

// mapBytes is about how much memory a map of n strings takes, the strings aside:
// Go's maps have a power of two of slots, of which seven eighths are used at most.
func mapBytes(n int) int {
	const header, slot = 96, 33 // a slot has two strings, and a byte of their hash
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
