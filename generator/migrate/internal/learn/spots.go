// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package learn

import (
	"cmp"
	"encoding/json"
	"reflect"
	"regexp"
	"slices"
	"strings"
)

// A spot is a value in objects. Its path has [*] for the elements of a list and the values of a map.
type spot struct {
	id      int // or -1, if the function does not mention it
	path    string
	class   class
	own     bool       // it can be absent by itself: it is a pointer, or the entry of a map
	isMap   bool       // a list whose elements are the values of a map
	omitted bool       // it is absent from JSON if it is empty
	below   []*spot    // the fields of a struct, with those of inlined ones; or the elements of a list, after the known entries of a map
	states  []string   // "" if it is absent, or = and its text; the first is unlike all others
	odds    [][]string // states; one is as likely as the other
	values  []string   // states of an opaque value
}

type class byte

const (
	text    class = 's'
	boolean class = 'b'
	number  class = 'i'
	list    class = 'l' // or a map
	whole   class = 'p' // a struct
	opaque  class = 0   // a value that markers do not compare, such as a time
)

// canBeAbsent reports whether a value may be absent, or be a text, which counts as absent if it is empty.
func (s *spot) canBeAbsent(l *learner) bool {
	return s.class == text || strings.Contains(s.path, each) ||
		slices.ContainsFunc(l.spots, func(o *spot) bool { return o.own && (o == s || above(o.path, s.path)) })
}

// values are values in JSON that opaque types have: times, durations, quantities, numbers with a fraction, and bytes.
var values = []string{
	`"2004-01-10T13:37:04Z"`, `"0001-01-01T00:00:00Z"`, `"2904-01-10T13:37:04Z"`, `"7h"`, `"7"`, `7.5`, `"0"`, `"6T"`, `0`, `6e12`, `-6`, `"Nz8="`,
}

var classes = map[reflect.Kind]class{
	reflect.String: text, reflect.Bool: boolean, reflect.Slice: list, reflect.Map: list, reflect.Struct: whole,
}

func classOf(t reflect.Type) class {
	own, decodes := reflect.New(t).Interface().(json.Unmarshaler)
	switch k := t.Kind(); {
	case decodes && own.UnmarshalJSON([]byte("{}")) != nil: // it is no struct in JSON
		return opaque
	case k >= reflect.Int && k <= reflect.Uint64 && t.Size() > 2: // smaller ones have no room for texts of their own
		return number
	case k == reflect.Slice && t.Elem().Kind() == reflect.Uint8, k == reflect.Map && t.Key().Kind() != reflect.String:
		return opaque
	default:
		return classes[k]
	}
}

// zero returns the state of a value that is not absent, but empty, 0 or false.
func (c class) zero() string { return "=" + map[class]string{boolean: "false", number: "0"}[c] }

// grow returns the spot of a value, and adds it with those below it to the learner. around has the types of the structs
// that it is in.
func (l *learner) grow(t reflect.Type, path string, entry, mentioned bool, around []reflect.Type) *spot {
	s := &spot{id: -1, path: path, own: entry || t.Kind() == reflect.Pointer}
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	s.class, s.isMap = classOf(t), t.Kind() == reflect.Map
	if l.index[path] = s; mentioned {
		s.id = len(l.spots)
		l.spots = append(l.spots, s)
	}
	l.setStates(s, t)
	switch around = append(slices.Clip(around), t); {
	case s.class == whole && len(slices.DeleteFunc(slices.Clone(around), func(o reflect.Type) bool { return o != t })) < 3:
		l.members(s, t, mentioned, around)
	case s.class == list:
		for i := 0; s.isMap && mentioned && i < len(l.function.Keys); i++ {
			s.below = append(s.below, l.grow(t.Elem(), path+"['"+l.function.Keys[i]+"']", true, mentioned, around))
		}
		s.below = append(s.below, l.grow(t.Elem(), path+each, false, mentioned, around))
	}
	return s
}

// members grows the fields of a struct.
func (l *learner) members(s *spot, t reflect.Type, mentioned bool, around []reflect.Type) {
	for i := range t.NumField() {
		f, of := t.Field(i), t.Field(i).Type
		if of.Kind() == reflect.Pointer {
			of = of.Elem()
		}
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case name == "-" || f.Name == "TypeMeta":
		case name == "" && f.Anonymous && of.Kind() == reflect.Struct:
			l.members(s, of, mentioned, around)
		case f.IsExported():
			m := l.grow(f.Type, s.path+"."+cmp.Or(name, f.Name), false, mentioned && (name == "metadata" || l.function.Fields[f.Name]), around)
			m.omitted = strings.Contains(options, "omit")
			s.below = append(s.below, m)
		}
	}
}

func (l *learner) setStates(s *spot, t reflect.Type) {
	add := func(times int, states ...string) {
		if s.states = append(s.states, states...); len(states) > 0 {
			s.odds = append(s.odds, slices.Repeat([][]string{states}, times)...)
		}
	}
	switch s.class {
	case text:
		add(3, ownText(s.id))
	case number:
		add(3, ownNumber(s.id))
	case boolean:
		add(3, "=true")
	case opaque:
		for _, v := range values {
			if json.Unmarshal([]byte(v), reflect.New(t).Interface()) == nil {
				s.values = append(s.values, "="+v)
			}
		}
		add(3, s.values[:min(1, len(s.values))]...)
	default:
		add(3, statePresent)
	}
	if s.own {
		add(1, stateAbsent)
	}
	if s.class != whole && s.class != opaque {
		near, far := l.function.words(s)
		if s.path != ownNamespace { // which objects have
			add(1, s.class.zero())
		}
		add(3, near...)
		add(1, far...)
	}
}

// usable matches constants that may be the value of a field, and the key of a map.
var usable = regexp.MustCompile(`^[^% \n"'\\]*[^% \n"'\\/:._-][^% \n"'\\]*$`)

// words returns the constants that the function compares with a field of this name, and others.
func (f *Function) words(s *spot) (near, far []string) {
	usable := func(all []string) (out []string) {
		for _, w := range all {
			if usable.MatchString(w) && w != "0" && s.class == map[bool]class{true: text, false: number}[numberOf(w) == 0] && len(out) < mostWords {
				out = append(out, "="+w)
			}
		}
		return out
	}
	near = usable(f.Words[strings.ToLower(nameOf(s.path))])
	return near, slices.DeleteFunc(usable(f.Words[""]), func(w string) bool { return slices.Contains(near, w) })
}
