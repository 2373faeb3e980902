// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package learn

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"
)

// A spot is a value in an object. Its path has [*] for the elements of a list and the values of a map.
type spot struct {
	id     int // or -1, if the function does not mention it
	path   string
	typ    reflect.Type // without a pointer
	class  class
	own    bool       // it can be absent by itself: it is a pointer, or the entry of a map
	states []string   // "" if it is absent, or = and its text; the first is unlike all others
	odds   [][]string // states; one is as likely as the other
}

type class byte

const (
	text    class = 's'
	boolean class = 'b'
	number  class = 'i'
	list    class = 'l' // or a map
	whole   class = 'p' // a struct
)

// classOf returns the class of a type, or 0 if markers do not compare it.
func classOf(t reflect.Type) class {
	switch k := t.Kind(); {
	case k >= reflect.Int && k <= reflect.Uint64:
		return number
	case k == reflect.Slice && t.Elem().Kind() == reflect.Uint8, k == reflect.Map && t.Key().Kind() != reflect.String:
		return 0
	default:
		return classes[k]
	}
}

var classes = map[reflect.Kind]class{
	reflect.String: text, reflect.Bool: boolean, reflect.Slice: list, reflect.Map: list, reflect.Struct: whole,
}

// zero returns the state of a value that is not absent, but empty, 0 or false.
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

// A filler makes an object for a sample.
type filler struct {
	*learner
	*sample
	choose func(*spot) string // returns a state, also for the .KEY of an entry
	many   bool               // lists have some elements, or none
	all    bool               // set also what the function does not mention
	depth  map[reflect.Type]int
}

// fill sets v and what v holds, unless v is absent. in gets their states.
func (f *filler) fill(v reflect.Value, in object, path string, entry bool) bool {
	t := v.Type()
	own := t.Kind() == reflect.Pointer
	if own {
		t = t.Elem()
	}
	if c := classOf(t); c == 0 || c == whole && f.depth[t] > 1 {
		return false
	}
	s := f.spot(path, t, own || entry)
	if s.id == len(f.states) {
		f.states = append(f.states, "")
	}
	state := f.choose(s)
	if state == "" && s.own {
		return false
	} else if state == "" {
		state = s.class.zero()
	}
	if own {
		v.Set(reflect.New(t))
		v = v.Elem()
	}
	n := node{state: state}
	switch {
	case s.class == whole:
		n.state = "=all"
		f.depth[t]++
		f.structure(v, in, path)
		f.depth[t]--
	case s.class == text:
		v.SetString(state[1:])
	case s.class != list:
		_, _ = fmt.Sscan(state[1:], v.Addr().Interface()) // a number that does not fit is 0
	case state != "=":
		if n.elems = f.elements(v, in, path); len(n.elems) == 0 {
			n.state = "="
		}
	}
	_, rest := listOf(path)
	if in[rest] = n; s.id >= 0 {
		f.states[s.id] = n.state
	}
	return true
}

func (f *filler) structure(v reflect.Value, in object, path string) {
	if at := v.FieldByName("Time"); at.IsValid() && at.Type() == reflect.TypeFor[time.Time]() && at.CanSet() {
		at.Set(reflect.ValueOf(time.Unix(1<<30, 0)))
	}
	for _, m := range members(v.Type()) {
		if !f.all && m.name != "metadata" && !f.Fields[m.field] {
			continue
		}
		at := reflect.New(v.Type().FieldByIndex(m.index).Type).Elem()
		if !f.fill(at, in, path+"."+m.name, false) {
			continue
		}
		of := v
		for _, i := range m.index {
			if of.Kind() == reflect.Pointer { // it is inlined
				if of.IsNil() {
					of.Set(reflect.New(of.Type().Elem()))
				}
				of = of.Elem()
			}
			of = of.Field(i)
		}
		of.Set(at)
	}
}

// elements fills a list or a map, and returns its elements.
func (f *filler) elements(v reflect.Value, in object, path string) (out []object) {
	n := 1
	if f.many {
		n = f.rand.IntN(4)
	}
	if v.Kind() == reflect.Slice {
		v.Set(reflect.MakeSlice(v.Type(), n, n))
		for i := range n {
			elem := object{}
			f.fill(v.Index(i), elem, path+each, false)
			out = append(out, elem)
		}
		return out
	}
	v.Set(reflect.MakeMap(v.Type()))
	put := func(key string, in object, at string, entry bool) bool {
		elem := reflect.New(v.Type().Elem()).Elem()
		ok := f.fill(elem, in, at, entry)
		if ok {
			v.SetMapIndex(reflect.ValueOf(key).Convert(v.Type().Key()), elem)
		}
		return ok
	}
	for _, key := range f.Keys {
		at, elem := path+"['"+key+"']", object{}
		if put(key, in, at, true) {
			_, at = listOf(at)
			for p, n := range in {
				if p == at || above(at, p) {
					elem[p[len(at):]] = n
				}
			}
			out = append(out, elem)
		}
	}
	for range n {
		elem, key := object{}, f.choose(&spot{id: -1, path: path + ".KEY", class: text})[1:]
		if !v.MapIndex(reflect.ValueOf(key).Convert(v.Type().Key())).IsValid() && put(key, elem, path+each, false) {
			out = append(out, elem)
		}
	}
	return out
}

// spot returns the spot at a path. The first object has all spots that the function mentions, those above others first.
func (l *learner) spot(path string, t reflect.Type, own bool) *spot {
	if i, ok := l.index[path]; ok {
		return l.spots[i]
	}
	s := &spot{id: -1, path: path, typ: t, class: classOf(t), own: own}
	if l.first == nil {
		s.id = len(l.spots)
		l.index[path], l.spots = s.id, append(l.spots, s)
	}
	add := func(times int, states ...string) {
		if s.states = append(s.states, states...); len(states) > 0 {
			s.odds = append(s.odds, slices.Repeat([][]string{states}, times)...)
		}
	}
	unlike := map[class]string{text: fmt.Sprintf("=Q%dz", s.id), number: fmt.Sprint("=", 7000000+s.id), boolean: "=true"}
	add(3, cmp.Or(unlike[s.class], "=all"))
	if s.own {
		add(1, "")
	}
	if s.class != whole && path != ownNamespace { // objects have a namespace
		near, far := l.words(s)
		add(1, s.class.zero())
		add(3, near...)
		add(1, far...)
	}
	return s
}

// words returns the constants that the function compares with a field of this name, and others.
func (f *Function) words(s *spot) (near, far []string) {
	usable := func(all []string) (out []string) {
		for _, w := range all {
			if w != "" && w != "0" && s.class == map[bool]class{false: text, true: number}[isNumber(w)] && len(out) < 30 {
				out = append(out, "="+w)
			}
		}
		return out
	}
	near = usable(f.Words[strings.ToLower(nameOf(s.path))])
	return near, slices.DeleteFunc(usable(f.Words[""]), func(w string) bool { return slices.Contains(near, w) })
}
