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
	spots   []spot
	index   map[string]int // of the spots, by path
	rand    *rand.Rand
	ran     map[string]*sample // by their states
	samples []*sample          // lists have one element
	others  []*sample          // random objects, with lists of several elements
	found   []*template
	byKey   bool // some key is the key of a map
	loose   bool // what the function returns is not known for objects for which it panics; otherwise there are no keys
}

// A sample is an object, and the keys that the function returns for it.
type sample struct {
	states   []string // of the spots, of the last elements of lists
	obj      reflect.Value
	given    []string // keys in the function's order
	keys     []string // sorted
	panicked string
}

func (f *Function) learner(obj any) *learner {
	l := &learner{
		Function: f, typ: reflect.TypeOf(obj).Elem(), spots: f.spots(obj), index: map[string]int{},
		rand: rand.New(rand.NewPCG(1, 1)), ran: map[string]*sample{},
	}
	for i, s := range l.spots {
		l.index[s.path] = i
	}
	return l
}

// run fills an object, and runs the function on it.
func (l *learner) run(f *filler, choose func(s spot, i int, known bool) string) *sample {
	s := &sample{states: make([]string, len(l.spots)), obj: reflect.New(l.typ).Elem()}
	f.Function, f.depth = l.Function, map[reflect.Type]int{}
	f.choose = func(at spot) string {
		i, known := l.index[at.path]
		state := choose(at, i, known)
		if state == "" && !at.own {
			state = at.class.zero()
		}
		if known {
			s.states[i] = state
		}
		return state
	}
	f.fill(s.obj, "", false)
	s.given, s.panicked = l.call(s.obj)
	s.keys = slices.Compact(slices.Sorted(slices.Values(s.given)))
	return s
}

// sample returns the sample with some states, as far as all can be.
func (l *learner) sample(states []string) *sample {
	id := strings.Join(states, "\x00")
	if l.ran[id] == nil {
		l.ran[id] = l.run(&filler{many: one}, func(s spot, i int, known bool) string {
			if !known {
				return fmt.Sprintf("=K%dz", len(s.path))
			}
			return states[i]
		})
		l.samples = append(l.samples, l.ran[id])
	}
	return l.ran[id]
}

// random returns random states, some of which are those of like, unless it is nil.
func (l *learner) random(like *sample, plain bool) []string {
	states := make([]string, len(l.spots))
	keep := l.rand.IntN(10)
	for i := range l.spots {
		switch s := &l.spots[i]; {
		case like != nil && l.rand.IntN(10) <= keep:
			states[i] = like.states[i]
		case plain:
			states[i] = s.states[l.rand.IntN(s.plain)]
		default:
			states[i] = s.random(l.rand)
		}
	}
	return states
}

// changed returns the sample in which a spot is in another state, and what is above it is there.
func (l *learner) changed(s *sample, i int, state string) *sample {
	states := slices.Clone(s.states)
	for j := range l.spots[:i] {
		if above(l.spots[j].path, l.spots[i].path) && (states[j] == "" || states[j] == "=") {
			states[j] = l.spots[j].states[0]
		}
	}
	states[i] = state
	return l.sample(states)
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
	*learner
	text    []string
	places  []int
	yes, no []*sample    // for which the function returns it, and for which it does not
	asked   map[int]bool // spots on which it depends, and its places
}

// The text of a spot in a key, or of the key of a map.
var marks = regexp.MustCompile(`[QK]\d+z|70\d{5}`)

// template returns the template of a key.
func (l *learner) template(key string) *template {
	t := &template{learner: l, asked: map[int]bool{}}
	from := 0
	for _, m := range marks.FindAllStringIndex(key, -1) {
		is := func(s spot) bool { return s.states[0] == "="+key[m[0]:m[1]] }
		if i := slices.IndexFunc(l.spots, is); i >= 0 {
			t.text, t.places, t.asked[i] = append(t.text, key[from:m[0]]), append(t.places, i), true
			from = m[1]
		} else if key[m[0]] == 'K' {
			l.byKey = true
		}
	}
	t.text = append(t.text, key[from:])
	return t
}

// key returns the template's key for a sample, or false if a place is absent.
func (t *template) key(s *sample) (string, bool) {
	out := t.text[0]
	for n, i := range t.places {
		if s.states[i] == "" {
			return "", false
		}
		out += s.states[i][1:] + t.text[n+1]
	}
	return out, true
}

// unnamed reports whether the last part of a template's key is empty, which emitted functions leave out.
func (t *template) unnamed() bool { return len(t.places) == 0 && unnamed(t.text[0]) }

func unnamed(key string) bool { return key == "" || strings.HasSuffix(key, "/") }

// add notes whether the function returns the template for a sample. It is not known if a place is absent, or if the key
// may be of another template.
func (t *template) add(s *sample) (yes bool) {
	key, ok := t.key(s)
	if !ok {
		return false
	} else if !slices.Contains(s.keys, key) {
		if s.panicked == "" || !t.loose {
			t.no = append(t.no, s)
		}
		return false
	}
	if slices.ContainsFunc(t.found, func(o *template) bool { k, ok := o.key(s); return ok && k == key && o != t }) {
		return false
	}
	t.yes = append(t.yes, s)
	return true
}

// discover runs the function on random samples, and collects the templates of its keys. Samples without constants come
// first, so that a constant in a key is one of the function.
func (l *learner) discover(tries int) {
	try := func(states []string) {
		s := l.sample(states)
		for _, key := range s.given {
			known := func(t *template) bool { k, ok := t.key(s); return ok && k == key }
			if !slices.ContainsFunc(l.found, known) {
				l.found = append(l.found, l.template(key))
			}
		}
	}
	full := make([]string, len(l.spots))
	for i, s := range l.spots {
		full[i] = s.states[0]
	}
	try(full)
	for i := 0; i < tries; i++ {
		var like *sample
		if i%3 == 0 {
			like = l.sample(full)
		} else if i%3 == 1 && len(l.found) > 0 {
			like = l.found[l.rand.IntN(len(l.found))].example()
		}
		try(l.random(like, i < tries/4))
	}
	// Those are left out whose keys are all of others.
	for _, t := range slices.Clone(l.found) {
		if t.sorted(); len(t.yes) == 0 {
			l.found = slices.DeleteFunc(l.found, func(o *template) bool { return o == t })
		}
	}
}

// sorted sorts all samples into those for which the function returns the template, and the others.
func (t *template) sorted() {
	t.yes, t.no = nil, nil
	for _, s := range t.samples {
		t.add(s)
	}
}

// example returns a sample for which the function returns the template, or nil.
func (t *template) example() *sample {
	if len(t.yes) == 0 {
		t.sorted()
	}
	if len(t.yes) == 0 {
		return nil
	}
	return t.yes[t.rand.IntN(len(t.yes))]
}
