// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package learn

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"time"
)

// A spot is a value in an object that may differ. Its path has [*] for the elements of a list and the values of a map.
type spot struct {
	path   string
	class  class
	own    bool       // it can be absent by itself: it is a pointer, or the entry of a map
	states []string   // "" if it is absent, or = and its text; the first is unlike all others
	odds   [][]string // states; one is as likely as the other
	plain  int        // how many states are no constants
}

type class byte

const (
	text    class = 's'
	boolean class = 'b'
	number  class = 'i'
	list    class = 'l' // or a map
	whole   class = 'p' // a pointer to a struct
)

// classOf returns the class of a type, or 0 if markers do not compare it.
func classOf(t reflect.Type) class {
	switch k := t.Kind(); {
	case k == reflect.String:
		return text
	case k == reflect.Bool:
		return boolean
	case k >= reflect.Int && k <= reflect.Uint64:
		return number
	case k == reflect.Slice && t.Elem().Kind() != reflect.Uint8, k == reflect.Map && t.Key().Kind() == reflect.String:
		return list
	case k == reflect.Struct:
		return whole
	}
	return 0
}

// zero returns the state of what is there, and empty, 0 or false.
func (c class) zero() string { return "=" + map[class]string{boolean: "false", number: "0"}[c] }

// A member is a field of a struct in JSON.
type member struct {
	name  string
	field string // in Go
	index []int
	empty bool // it is absent if it is empty
}

var membersOf = map[reflect.Type][]member{}

// members returns the fields of a struct, with those of inlined ones.
func members(t reflect.Type) (out []member) {
	if known, ok := membersOf[t]; ok {
		return known
	}
	for i := 0; i < t.NumField(); i++ {
		f := t.Field(i)
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		inlined, of := name == "" && (f.Anonymous || strings.Contains(options, "inline")), f.Type
		if of.Kind() == reflect.Pointer {
			of = of.Elem()
		}
		switch {
		case !f.IsExported() || name == "-" || f.Name == "TypeMeta":
		case inlined && of.Kind() == reflect.Struct:
			for _, m := range members(of) {
				out = append(out, member{m.name, m.field, append([]int{i}, m.index...), m.empty})
			}
		case !inlined:
			out = append(out, member{cmp.Or(name, f.Name), f.Name, []int{i}, strings.Contains(options, "omit")})
		}
	}
	membersOf[t] = out
	return out
}

func memberOf(t reflect.Type, name string) (member, bool) {
	all := members(t)
	if i := slices.IndexFunc(all, func(m member) bool { return m.name == name }); i >= 0 {
		return all[i], true
	}
	return member{}, false
}

// A filler sets the fields of an object that a function mentions.
type filler struct {
	*Function
	choose func(spot) string // returns a state, also of the .KEY of an entry
	many   func() int        // how many elements a list has
	all    bool              // set also what the function does not mention
	depth  map[reflect.Type]int
}

func one() int { return 1 }

// fill sets v, and reports whether it is there.
func (f *filler) fill(v reflect.Value, path string, entry bool) bool {
	t := v.Type()
	own := t.Kind() == reflect.Pointer
	if own {
		t = t.Elem()
	}
	s, state := spot{path: path, class: classOf(t), own: own || entry}, "="
	switch {
	case s.class == 0 || s.class == whole && f.depth[t] > 1:
		return false
	case s.class != whole || s.own:
		if state = f.choose(s); state == "" {
			return false
		}
	}
	if own {
		v.Set(reflect.New(t))
		v = v.Elem()
	}
	switch {
	case s.class == whole:
		f.depth[t]++
		f.structure(v, path)
		f.depth[t]--
	case s.class != list:
		set(v, state[1:])
	case state == "=":
	case t.Kind() == reflect.Map:
		f.entries(v, path)
	default:
		n := f.many()
		v.Set(reflect.MakeSlice(t, n, n))
		for i := 0; i < n; i++ {
			f.fill(v.Index(i), path+each, false)
		}
	}
	return true
}

func (f *filler) structure(v reflect.Value, path string) {
	if v.CanAddr() {
		if _, isTime := v.Addr().Interface().(interface{ Local() time.Time }); isTime {
			if at := v.FieldByName("Time"); at.IsValid() && at.CanSet() {
				at.Set(reflect.ValueOf(time.Unix(1<<30, 0)))
			}
			return
		}
	}
	for _, m := range members(v.Type()) {
		if f.all || m.name == "metadata" || f.Fields[m.field] {
			at := reflect.New(v.Type().FieldByIndex(m.index).Type).Elem()
			if !f.fill(at, path+"."+m.name, false) {
				continue
			}
			of := v
			for _, i := range m.index[:len(m.index)-1] {
				if of = of.Field(i); of.Kind() == reflect.Pointer { // it is inlined
					if of.IsNil() {
						of.Set(reflect.New(of.Type().Elem()))
					}
					of = of.Elem()
				}
			}
			of.Field(m.index[len(m.index)-1]).Set(at)
		}
	}
}

func (f *filler) entries(v reflect.Value, path string) {
	v.Set(reflect.MakeMap(v.Type()))
	put := func(key, at string, entry bool) {
		elem := reflect.New(v.Type().Elem()).Elem()
		if f.fill(elem, at, entry) {
			v.SetMapIndex(reflect.ValueOf(key).Convert(v.Type().Key()), elem)
		}
	}
	for _, key := range f.Keys {
		put(key, path+"['"+key+"']", true)
	}
	for n := f.many(); n > 0; n-- {
		put(f.choose(spot{path: path + ".KEY", class: text})[1:], path+each, false)
	}
}

// set sets a value to what a text says.
func set(v reflect.Value, value string) {
	switch n := numberOf(value); {
	case v.Kind() == reflect.String:
		v.SetString(value)
	case v.Kind() == reflect.Bool:
		v.SetBool(value == "true")
	case v.CanInt() && !v.OverflowInt(n):
		v.SetInt(n)
	case v.CanUint() && !v.OverflowUint(uint64(n)):
		v.SetUint(uint64(n))
	}
}

// spots returns the spots of an object, those above others first, with their states.
func (f *Function) spots(obj any) (out []spot) {
	seen := map[string]bool{}
	all := &filler{Function: f, many: one, depth: map[reflect.Type]int{}}
	all.choose = func(s spot) string {
		if !seen[s.path] && !strings.HasSuffix(s.path, ".KEY") {
			seen[s.path] = true
			f.states(&s, len(out))
			out = append(out, s)
		}
		return "=all"
	}
	all.fill(reflect.ValueOf(obj).Elem(), "", false)
	return out
}

// states sets the states of the spot with a number. Objects have a namespace.
func (f *Function) states(s *spot, i int) {
	add := func(times int, states ...string) {
		for ; times > 0 && len(states) > 0; times-- {
			s.odds = append(s.odds, states)
		}
		s.states = append(s.states, states...)
	}
	switch s.class {
	case text:
		add(3, fmt.Sprintf("=Q%dz", i))
	case number:
		add(3, fmt.Sprint("=", 7000000+i))
	case boolean:
		add(1, "=true")
	default:
		add(3, "=all")
	}
	if s.class != whole && s.path != ownNamespace {
		add(1, s.class.zero())
	}
	if s.own {
		add(1, "")
	}
	if s.plain = len(s.states); s.path != ownNamespace {
		near, far := f.words(s)
		add(3, near...)
		add(1, far...)
	}
}

// words returns the constants that the function compares with a field of this name, and others.
func (f *Function) words(s *spot) (near, far []string) {
	usable := func(all []string, but []string) (out []string) {
		for _, w := range all {
			fits := s.class == text && !isNumber(w) || s.class == number && isNumber(w) && w != "0"
			if fits && w != "" && !slices.Contains(but, "="+w) && len(out) < 30 {
				out = append(out, "="+w)
			}
		}
		return out
	}
	near = usable(f.Words[strings.ToLower(nameOf(s.path))], nil)
	return near, usable(f.Words[""], near)
}

func (s *spot) random(r *rand.Rand) string {
	of := s.odds[r.IntN(len(s.odds))]
	return of[r.IntN(len(of))]
}
