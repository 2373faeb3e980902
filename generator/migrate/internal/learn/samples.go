// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package learn

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
)

// A learner runs a function on objects whose spots have known states.
type learner struct {
	function *Function
	typ      reflect.Type // of the objects
	object   *spot
	spots    []*spot // that the function mentions
	index    map[string]*spot
	rand     *rand.Rand
	first    *sample            // all is there, and unlike all others
	ran      map[string]*sample // by their states
	samples  []*sample          // lists have one element
	tried    []*sample          // with texts that conditions compare
	others   []*sample          // random objects, with lists of several elements
	found    []*template

	conditions map[int]*sourceCondition // of the function's source, by id
}

// A sample is an object, and the keys that the function returns for it.
type sample struct {
	states   []string    // of the spots, of the last elements of lists
	chosen   [][2]string // paths and states, in the order in which the object was filled
	all      bool        // also of what the function does not mention
	text     []byte      // JSON
	root     object
	given    []string // keys in the function's order
	keys     []string // sorted
	panicked string
	invalid  bool // it does not decode, such as a number that does not fit

	evaluated map[int]*evaluation // conditions of the source
	usual     map[string]*sample  // with other texts in place of odd ones, by causes
}

func (f *Function) learner(obj any) *learner {
	f.Keys = slices.DeleteFunc(f.Keys, func(key string) bool { return !usable.MatchString(key) })
	l := &learner{
		function: f, typ: reflect.TypeOf(obj).Elem(), index: map[string]*spot{},
		rand: rand.New(rand.NewPCG(1, 1)), ran: map[string]*sample{}, conditions: map[int]*sourceCondition{},
	}
	l.object = l.grow(l.typ, "", false, true, nil)
	l.first = l.sample(func(s *spot) string { return s.states[0] })
	return l
}

// run makes an object of a sample, and runs the function on it.
func (l *learner) run(choose func(*spot) string, all bool) *sample {
	s := &sample{states: make([]string, len(l.spots)), all: all, root: make(object, len(l.spots))}
	f := &filler{sample: s, choose: choose}
	f.fill(l.object, s.root)
	obj := reflect.New(l.typ).Interface()
	if err := json.Unmarshal(s.text, obj); err != nil {
		s.invalid, s.panicked = true, err.Error()
		return s
	}
	s.evaluated = watched(func() { s.given, s.panicked = l.function.call(obj, s.text) })
	s.keys = slices.Compact(slices.Sorted(slices.Values(s.given)))
	return s
}

// sample returns a sample in which lists have one element.
func (l *learner) sample(choose func(*spot) string) *sample {
	s := l.run(func(s *spot) string {
		if s.id < 0 {
			return s.states[0]
		}
		return choose(s)
	}, false)
	id := strings.Join(s.states, "\x00")
	if l.ran[id] == nil {
		if l.ran[id] = s; !s.invalid {
			l.samples = append(l.samples, l.note(s))
		}
	}
	return l.ran[id]
}

// random chooses states, some of which are those of like, unless it is nil.
func (l *learner) random(like *sample) func(*spot) string {
	keep, sparse := l.rand.IntN(10), l.rand.IntN(4) == 0
	return func(s *spot) string {
		if like != nil && l.rand.IntN(10) <= keep && (s.own || like.states[s.id] != stateAbsent) {
			return like.states[s.id]
		} else if sparse && s.own && l.rand.IntN(3) > 0 {
			return stateAbsent
		}
		return one(l.rand, one(l.rand, s.odds))
	}
}

// randomObjects runs the function on random objects, in which texts are often alike. Most of them resemble those for
// which it is known to return some template.
func (l *learner) randomObjects() {
	for i := range randomSamples {
		var like *sample
		if i%4 != 0 && len(l.found) > 0 {
			like = l.found[i/4%len(l.found)].example()
		}
		choose := l.random(like)
		object := l.run(func(s *spot) string {
			state := s.states[0]
			if s.id >= 0 {
				state = choose(s)
			}
			switch n := l.rand.IntN(60); {
			case strings.HasSuffix(s.path, numberOfElements):
				if c := numberOf(l.constant(number, s)); n < 3 && c < 20 {
					return fmt.Sprint("=", c+n)
				}
				return fmt.Sprint("=", n%4)
			case s.path == ownNamespace && n < 3:
				return stateEmpty
			case state != s.states[0]:
				return state
			case s.class == text:
				return "=" + l.randomText(s)
			case s.class == opaque:
				return one(l.rand, s.values)
			case s.class == number && s.id >= 0: // a neighbor of a constant
				return fmt.Sprint("=", numberOf(l.constant(number, s))+n%3-1)
			}
			return state
		}, i%20 == 0) // the function may read what its source does not show
		if !object.invalid {
			object.states = nil // of several elements, only those of the last are known
			l.others = append(l.others, l.note(object))
		}
	}
}

// one returns one of some values.
func one[T any](r *rand.Rand, all []T) T { return all[r.IntN(len(all))] }

// randomText returns a text that is often equal to others. A function may look into a text, or change it, so some have
// the shapes of names and addresses, a constant of the function in them, or are longer than a number of it.
func (l *learner) randomText(s *spot) string {
	if l.rand.IntN(6) > 0 || strings.HasSuffix(s.path, keyOfEntry) {
		return one(l.rand, []string{"a", "b", "c"})
	} else if n := numberOf(l.constant(number, s)); 3 < n && n < 300 && l.rand.IntN(4) == 0 {
		return strings.Repeat("x", n+1)
	}
	w := l.constant(text, s)
	if strings.HasPrefix(s.path, ".metadata.name") { // it has no slash
		w = strings.ReplaceAll(w, "/", ".")
		return one(l.rand, []string{w, w + "-b", w + ".b", "b" + w, strings.ToLower(w)})
	} else if nameOf(s.path) == "apiVersion" { // it is a group and a version, if it is no constant
		return one(l.rand, []string{"a/b", "b.c/a", w, w + "b"})
	}
	return one(l.rand, []string{
		w, w + "/", "B/" + w, w + "-b", w + ".b", "b" + w, strings.ToUpper(w), strings.ToLower(w), " " + w, w + "/b/c",
	})
}

// constant returns a constant of the function, often one that is compared with the spot.
func (l *learner) constant(c class, s *spot) string {
	of := func(words []string) []string {
		return slices.DeleteFunc(slices.Clone(words), func(w string) bool { return w == "" || (numberOf(w) == 0) == (c == number) })
	}
	near := of(l.function.Words[strings.ToLower(nameOf(strings.TrimSuffix(s.path, numberOfElements)))])
	if len(near) > 0 && l.rand.IntN(2) == 0 {
		return one(l.rand, near)
	}
	return one(l.rand, append(of(l.function.Words[""]), map[class][]string{text: {"a", "b.c", "d://e"}, number: {"0", "2"}}[c]...))
}

// changed returns the sample in which a spot is in another state, and what is above it is there.
func (l *learner) changed(from *sample, i int, state string) *sample {
	return l.sample(func(s *spot) string {
		switch old := from.states[s.id]; {
		case s.id == i:
			return state
		case above(s.path, l.spots[i].path) && (old == stateAbsent || old == stateEmpty):
			return s.states[0]
		default:
			return old
		}
	})
}

// call returns the function's keys of an object, or how it panics.
func (f *Function) call(obj any, text []byte) (keys []string, panicked string) {
	defer limit(func() string { return string(text) })()
	defer func() {
		if r := recover(); r != nil {
			panicked = fmt.Sprint(r)
		}
	}()
	keys, err := f.Call(obj)
	if err != nil { // client-go panics
		return nil, err.Error()
	}
	return slices.Clone(keys), ""
}
