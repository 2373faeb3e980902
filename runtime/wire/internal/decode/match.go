// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package decode

import (
	"bytes"
	"reflect"

	"github.com/indexer-gen/indexer-gen/runtime/wire/internal/fields"
	"github.com/indexer-gen/indexer-gen/runtime/wire/internal/intern"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Match reports whether decoding the JSON object at the start of text would give the object that held
// points to, and returns the length of its text. It compares the text with the fields and allocates
// nothing, so a relist of unchanged objects costs no memory. False means that the text differs, or is
// truncated, malformed or unusual.
//
// If typeless is true, held lacks the kind and apiVersion that the text has.
func (d *Decoder) Match(text []byte, held any, typeless bool) (n int, same bool) {
	v := reflect.ValueOf(held).Elem()
	if len(text) == 0 || text[0] != '{' || v.Kind() != reflect.Struct {
		return 0, false
	}
	p := d.planOf(v.Type())
	if p.match == nil {
		return 0, false // comparing takes as long as decoding
	}
	d.begin(text)
	d.typeless = typeless
	same = p.match(d, v)
	d.text, d.typeless = nil, false
	return d.pos, same
}

// matches reads the current value and reports whether v holds it. Without a match function it decodes
// the value.
func (p plan) matches(d *Decoder, v reflect.Value) bool {
	if p.match != nil {
		return p.match(d, v)
	}
	decoded := reflect.New(v.Type()).Elem()
	return p.decode(d, decoded) == nil && reflect.DeepEqual(decoded.Interface(), v.Interface())
}

func (p *structPlan) match(d *Decoder, v reflect.Value) bool {
	p.once.Do(p.complete)
	if !p.plain {
		return plan{decode: p.decode}.matches(d, v)
	}
	if d.text[d.pos] != '{' {
		return d.literal("null") == nil && v.IsZero()
	}
	var seen fields.Set
	skip, typeless := d.skip, d.typeless
	d.typeless = false // not for nested values
	more, err := d.open('}')
	for more && err == nil {
		name, err := d.name()
		if err != nil {
			return false
		}
		i, known := p.find(name)
		below := skip.Member(name)
		switch {
		case !known || below.Whole():
			err = d.skipValue()
		case typeless && (string(name) == "kind" || string(name) == "apiVersion"):
			if d.text[d.pos] != '"' {
				return false
			}
			err = d.skipString()
		case seen.Has(i):
			return false
		default:
			seen.Add(i)
			d.skip = below
			f := &p.fields[i]
			if !f.plan.matches(d, v.FieldByIndex(f.Index)) {
				return false
			}
		}
		if err != nil {
			return false
		}
		if more, err = d.more('}'); err != nil {
			return false
		}
	}
	d.skip = skip
	return err == nil && p.restIsZero(v, &seen)
}

// restIsZero reports whether the fields that are not in seen are zero.
func (p *structPlan) restIsZero(v reflect.Value, seen *fields.Set) bool {
	for i := range p.fields {
		if !seen.Has(i) && !v.FieldByIndex(p.fields[i].Index).IsZero() {
			return false
		}
	}
	return true
}

// matchSlice reads an array and reports whether v has the same elements.
func (d *Decoder) matchSlice(v reflect.Value, elem func(*Decoder, reflect.Value) bool) bool {
	if v.IsNil() || d.text[d.pos] != '[' {
		return v.IsNil() && d.literal("null") == nil
	}
	skip := d.skip
	below := skip.Elements()
	n := 0
	more, err := d.open(']')
	for ; more && err == nil; n++ {
		d.skip = below
		if n >= v.Len() || !elem(d, v.Index(n)) {
			return false
		}
		more, err = d.more(']')
	}
	d.skip = skip
	return err == nil && n == v.Len()
}

func matchStrings(d *Decoder, v reflect.Value) bool { return d.matchSlice(v, matchString) }

// matchStringMap reads an object and reports whether v has the same entries. It reports false for
// unsorted names. Go writes names sorted, which rules out duplicates.
func matchStringMap(d *Decoder, v reflect.Value) bool {
	held := *v.Addr().Interface().(*map[string]string)
	if held == nil || d.text[d.pos] != '{' {
		return held == nil && d.literal("null") == nil
	}
	n := 0
	var last []byte
	more, err := d.open('}')
	for more && err == nil {
		start := d.pos + 1
		name, err := d.name()
		if err != nil {
			return false
		}
		if d.skip.Member(name).Whole() {
			err = d.skipValue()
		} else {
			value, ok := held[string(name)]
			written := d.text[start : start+len(name)] // name itself is overwritten by the next string
			sorted := n == 0 || bytes.Compare(last, written) < 0
			if !ok || !sorted || !bytes.Equal(written, name) || !d.matchText(value) {
				return false
			}
			last = written
			n++
		}
		if err != nil {
			return false
		}
		if more, err = d.more('}'); err != nil {
			return false
		}
	}
	return err == nil && n == len(held)
}

func matchString(d *Decoder, v reflect.Value) bool { return d.matchText(v.String()) }

// matchText reads a string, or null for "", and reports whether it is want.
func (d *Decoder) matchText(want string) bool {
	if d.text[d.pos] == 'n' {
		return want == "" && d.literal("null") == nil
	}
	text, err := d.quoted()
	return err == nil && string(text) == want
}

func matchBool(d *Decoder, v reflect.Value) bool {
	if v.Bool() {
		return d.literal("true") == nil
	}
	return d.literal("false") == nil || d.literal("null") == nil
}

func matchInt(d *Decoder, v reflect.Value) bool {
	if d.text[d.pos] == 'n' {
		return v.Int() == 0 && d.literal("null") == nil
	}
	n, err := d.integer()
	return err == nil && n == v.Int()
}

func matchTime(d *Decoder, v reflect.Value) bool {
	t, err := d.time()
	return err == nil && t == v.Addr().Interface().(*metav1.Time).Time // like reflect.DeepEqual
}

func matchFieldsV1(d *Decoder, v reflect.Value) bool {
	held := v.Addr().Interface().(*metav1.FieldsV1)
	raw, err := d.pruned()
	return err == nil && intern.IsFieldsV1(held, raw)
}
