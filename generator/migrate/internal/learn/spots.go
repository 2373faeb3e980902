// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package learn

import (
	"cmp"
	"reflect"
	"slices"
	"strings"
	"time"
)

// A spot is a value in an object that may differ. Its path has [*] for the elements of a list and the values of a map.
type spot struct {
	path   string
	class  class
	own    bool     // it can be absent by itself: it is a pointer, or the entry of a map
	parent int      // the nearest spot above it that can be absent, or -1
	states []string // see absent
	odds   []int    // how often to choose them
}

type class byte

const (
	text    class = 's'
	boolean class = 'b'
	number  class = 'i'
	list    class = 'l' // or a map
	whole   class = 'p' // a pointer to a struct
)

// The states of a spot. Others are constants, which follow an =.
const (
	absent = "nil"  // or an element of a list, or an entry of a map, that is not there
	zero   = "zero" // empty, 0 or false
	unlike = "own"  // unlike all others; true, or not empty
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
	for _, m := range members(t) {
		if m.name == name {
			return m, true
		}
	}
	return member{}, false
}

// A filler sets the fields of an object that a function mentions.
type filler struct {
	*Function
	choose func(*spot) string            // returns a state
	many   func() int                    // how many elements a list has
	all    bool                          // set also what the function does not mention
	value  func(s *spot, c class) string // of a value that is unlike others; of a key, if s is nil
	depth  map[reflect.Type]int
}

// fill sets v, and reports whether it is there.
func (f *filler) fill(v reflect.Value, path string, entry bool) bool {
	t := v.Type()
	own := t.Kind() == reflect.Pointer
	if own {
		t = t.Elem()
	}
	s, state := &spot{path: path, class: classOf(t), own: own || entry}, unlike
	switch {
	case s.class == 0 || s.class == whole && f.depth[t] > 1:
		return false
	case s.class != whole || s.own:
		if state = f.choose(s); state == absent {
			return false
		}
	}
	if own {
		v.Set(reflect.New(t))
		v = v.Elem()
	}
	value, constant := strings.CutPrefix(state, "=")
	switch {
	case s.class == whole:
		f.depth[t]++
		f.structure(v, path)
		f.depth[t]--
	case state == zero:
	case s.class == list && t.Kind() == reflect.Map:
		f.entries(v, path)
	case s.class == list:
		n := f.many()
		v.Set(reflect.MakeSlice(t, n, n))
		for i := 0; i < n; i++ {
			f.fill(v.Index(i), path+each, false)
		}
	default:
		if !constant {
			value = f.value(s, s.class)
		}
		set(v, value)
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
		put(f.value(&spot{path: path + ".KEY"}, text), path+each, false)
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
func (f *Function) spots(obj any) (out []*spot) {
	byPath := map[string]bool{}
	all := &filler{Function: f, many: func() int { return 1 }, value: func(*spot, class) string { return "" }, depth: map[reflect.Type]int{}}
	all.choose = func(s *spot) string {
		if !byPath[s.path] {
			byPath[s.path], out = true, append(out, s)
		}
		return unlike
	}
	all.fill(reflect.ValueOf(obj).Elem(), "", false)
	// Objects have a namespace.
	for i, s := range out {
		s.parent = -1
		for j, o := range out[:i] {
			if rest, ok := strings.CutPrefix(s.path, o.path); ok && rest != "" && strings.Contains(".[", rest[:1]) && (o.own || o.class == list) {
				s.parent = j
			}
		}
		add := func(state string, odds int) {
			if !slices.Contains(s.states, state) && len(s.states) < 60 {
				s.states, s.odds = append(s.states, state), append(s.odds, odds)
			}
		}
		if add(unlike, 40); s.own || s.parent >= 0 {
			add(absent, 15)
		}
		if s.class != whole && s.path != ownNamespace {
			add(zero, 15)
		}
		if s.class == boolean {
			s.states[0], s.odds[0] = "=true", 15
		}
		if (s.class == text || s.class == number) && s.path != ownNamespace {
			near, far := f.words(s)
			for _, w := range near {
				add("="+w, 40/len(near))
			}
			for _, w := range far {
				add("="+w, 1+10/len(far))
			}
		}
	}
	return out
}

// words returns the constants that the function compares with a field of this name, and others.
func (f *Function) words(s *spot) (near, far []string) {
	usable := func(all []string) []string {
		return slices.DeleteFunc(slices.Clone(all), func(w string) bool {
			return w == "" || s.class == number && (!isNumber(w) || w == "0") || s.class == text && isNumber(w)
		})
	}
	return usable(f.Words[strings.ToLower(nameOf(s.path))]), usable(f.Words[""])
}
