// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package learn

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"regexp"
	"slices"
	"strings"
)

// A learner runs a function on objects whose spots have known states.
type learner struct {
	*Function
	typ     reflect.Type // of the objects
	spots   []*spot
	index   map[string]int // of the spots, by path
	rand    *rand.Rand
	first   *sample            // all is there, and unlike all others
	ran     map[string]*sample // by their states
	samples []*sample          // lists have one element
	others  []*sample          // random objects, with lists of several elements
	found   []*template
	loose   bool // what the function returns is not known for objects for which it panics; otherwise there are no keys
}

// A sample is an object, and the keys that the function returns for it.
type sample struct {
	states   []string // of the spots, of the last elements of lists
	obj      reflect.Value
	root     object
	given    []string // keys in the function's order
	keys     []string // sorted
	panicked string
}

func (f *Function) learner(obj any) *learner {
	l := &learner{
		Function: f, typ: reflect.TypeOf(obj).Elem(), index: map[string]int{},
		rand: rand.New(rand.NewPCG(1, 1)), ran: map[string]*sample{},
	}
	l.first = l.sample(func(s *spot) string { return s.states[0] })
	return l
}

// run makes an object of a sample, and runs the function on it.
func (l *learner) run(choose func(*spot) string, many, all bool) *sample {
	s := &sample{states: make([]string, len(l.spots)), obj: reflect.New(l.typ).Elem(), root: object{}}
	f := &filler{learner: l, sample: s, choose: choose, many: many, all: all, depth: map[reflect.Type]int{}}
	f.fill(s.obj, s.root, "", false)
	s.given, s.panicked = l.call(s.obj)
	s.keys = slices.Compact(slices.Sorted(slices.Values(s.given)))
	return s
}

// sample returns a sample in which lists have one element.
func (l *learner) sample(choose func(*spot) string) *sample {
	s := l.run(func(s *spot) string {
		if s.id < 0 {
			return fmt.Sprintf("=K%dz", len(s.path))
		}
		return choose(s)
	}, false, false)
	id := strings.Join(s.states, "\x00")
	if l.ran[id] == nil {
		l.ran[id], l.samples = s, append(l.samples, s)
	}
	return l.ran[id]
}

// random chooses states, some of which are those of like, unless it is nil.
func (l *learner) random(like *sample) func(*spot) string {
	keep, sparse := l.rand.IntN(10), l.rand.IntN(4) == 0
	return func(s *spot) string {
		if like != nil && l.rand.IntN(10) <= keep && (s.own || like.states[s.id] != "") {
			return like.states[s.id]
		} else if sparse && s.own && l.rand.IntN(3) > 0 {
			return ""
		}
		of := s.odds[l.rand.IntN(len(s.odds))]
		return of[l.rand.IntN(len(of))]
	}
}

// randomObjects runs the function on random objects, in which texts are often alike. Most of them resemble those for
// which it is known to return some template.
func (l *learner) randomObjects() {
	for i := range 4000 {
		var like *sample
		if i%4 != 0 {
			like = l.found[i/4%len(l.found)].example()
		}
		choose := l.random(like)
		all := i%20 == 0 // the function may read what its source does not show
		l.others = append(l.others, l.run(func(s *spot) string {
			state := "="
			if s.id >= 0 {
				state = choose(s)
			}
			switch n := l.rand.IntN(60); {
			case s.path == ownNamespace && n < 3:
				return "="
			case s.class == text && (s.id < 0 || state == s.states[0]):
				return "=" + l.randomText(s)
			case s.class == number && state == s.states[0]: // a neighbor of a constant
				near, far := l.words(s)
				return fmt.Sprint("=", numberOf(append(append(near, far...), "=2")[0][1:])+int64(n%3)-1)
			case s.id < 0:
				return s.states[0]
			}
			return state
		}, !all, all))
	}
}

// randomText returns a text that is often equal to others. A function may look into a text, or change it, so some have
// the shapes of names and addresses, or a constant of the function in them.
func (l *learner) randomText(s *spot) string {
	if l.rand.IntN(6) > 0 {
		return string("abc"[l.rand.IntN(3)])
	} else if strings.HasPrefix(s.path, ".metadata.name") {
		return []string{"a-b", "a.b"}[l.rand.IntN(2)]
	}
	of, far := l.words(s)
	if nameOf(s.path) == "apiVersion" {
		return []string{"a/b", "b.c/a"}[l.rand.IntN(2)]
	} else if len(of) == 0 {
		of = append(far, "=a", "=b.c", "=d://e")
	}
	w := of[l.rand.IntN(len(of))][1:]
	return []string{w + "/", "B/" + w, w + "-b", w + ".b", "b" + w, strings.ToUpper(w), " " + w, w + "/b/c"}[l.rand.IntN(8)]
}

// changed returns the sample in which a spot is in another state, and what is above it is there.
func (l *learner) changed(from *sample, i int, state string) *sample {
	return l.sample(func(s *spot) string {
		switch old := from.states[s.id]; {
		case s.id == i:
			return state
		case above(s.path, l.spots[i].path) && (old == "" || old == "="):
			return s.states[0]
		default:
			return old
		}
	})
}

// call returns the function's keys of an object. If it panics, there are none: no program has such an object in a cache.
func (f *Function) call(obj reflect.Value) (keys []string, panicked string) {
	defer limit(func() string { return shown(obj) })()
	defer func() {
		if r := recover(); r != nil {
			panicked = fmt.Sprint(r)
			f.panicked = panicked
		}
	}()
	keys, err := f.Call(obj.Addr().Interface())
	if err != nil { // client-go panics
		f.panicked = err.Error()
		return nil, f.panicked
	}
	return slices.Clone(keys), ""
}

// A template is a form of keys: texts before, between and after values of spots.
type template struct {
	*marker              // without conditions
	yes, no []*sample    // for which the function returns it, and for which it does not
	asked   map[int]bool // spots on which it depends, and its places
}

// The text of a spot in a key.
var marks = regexp.MustCompile(`Q\d+z|70\d{5}`)

// template returns the template of a key.
func (l *learner) template(key string) *template {
	t := &template{&marker{learner: l}, nil, nil, map[int]bool{}}
	from := 0
	for _, m := range marks.FindAllStringIndex(key, -1) {
		is := func(s *spot) bool { return s.states[0] == "="+key[m[0]:m[1]] }
		if i := slices.IndexFunc(l.spots, is); i >= 0 {
			t.text, t.places, t.asked[i] = append(t.text, key[from:m[0]]), append(t.places, l.spots[i].path), true
			from = m[1]
		}
	}
	t.text = append(t.text, key[from:])
	return t
}

// key returns the template's key for a sample, or false if a place is absent.
func (t *template) key(s *sample) (string, bool) {
	out := t.text[0]
	for n, p := range t.places {
		state := s.states[t.index[p]]
		if state == "" {
			return "", false
		}
		out += state[1:] + t.text[n+1]
	}
	return out, true
}

// unnamed reports whether the last part of a key is empty, which emitted functions leave out.
func unnamed(key string) bool { return key == "" || strings.HasSuffix(key, "/") }

// add notes whether the function returns the template for a sample. It is not known if a place is absent, or if the key
// may be of another template.
func (t *template) add(s *sample) (yes bool) {
	key, ok := t.key(s)
	switch {
	case !ok:
	case !slices.Contains(s.keys, key):
		if s.panicked == "" || !t.loose {
			t.no = append(t.no, s)
		}
	case !slices.ContainsFunc(t.found, func(o *template) bool { k, ok := o.key(s); return ok && k == key && o != t }):
		t.yes, yes = append(t.yes, s), true
	}
	return yes
}

// discover runs the function on random samples, and collects the templates of its keys.
func (l *learner) discover() {
	for i := range 2000 {
		s, like := l.first, l.first
		if n := len(l.found); i%3 == 1 && n > 0 {
			like = l.found[l.rand.IntN(n)].example()
		} else if i%3 == 2 {
			like = nil
		}
		if i > 0 {
			s = l.sample(l.random(like))
		}
		for _, key := range s.given {
			known := func(t *template) bool { k, ok := t.key(s); return ok && k == key }
			if !slices.ContainsFunc(l.found, known) {
				l.found = append(l.found, l.template(key))
			}
		}
	}
	for _, t := range slices.Clone(l.found) { // those are left out whose keys are all of others
		if t.sort(); len(t.yes) == 0 {
			l.found = slices.DeleteFunc(l.found, func(o *template) bool { return o == t })
		}
	}
}

// sort sorts all samples into those for which the function returns the template, and the others.
func (t *template) sort() {
	t.yes, t.no = nil, nil
	for _, s := range t.samples {
		t.add(s)
	}
}

// example returns a sample for which the function returns the template, or nil.
func (t *template) example() *sample {
	if len(t.yes) == 0 {
		t.sort()
	}
	if len(t.yes) == 0 {
		return nil
	}
	return t.yes[t.rand.IntN(len(t.yes))]
}
