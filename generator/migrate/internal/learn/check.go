// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package learn

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"regexp"
	"slices"
	"strings"
)

const (
	seeds   = 10
	objects = 400 // for each seed
)

// A sample is a random object, and the keys that the function returns for it.
type sample struct {
	obj      reflect.Value
	keys     []string
	panicked string
}

// randomObjects returns objects. Most of them resemble those for which the function is known to return some template.
func (l *learner) randomObjects() (out []sample) {
	for seed := range seeds {
		r := rand.New(rand.NewPCG(uint64(seed), 61))
		for i := range objects {
			var like assignment
			if i%4 != 0 && len(l.found) > 0 {
				like = l.found[i/4%len(l.found)].example()
			}
			obj := reflect.New(l.typ)
			keep := r.IntN(10)
			f := &filler{Function: l.Function, many: func() int { return r.IntN(4) }, depth: map[reflect.Type]int{}}
			if f.all = i%20 == 0; f.all { // the function may read what its source does not show
				f.many = func() int { return 1 }
			}
			f.choose = func(s *spot) string {
				n, ok := l.index[s.path]
				if !ok {
					return unlike
				}
				known := l.spots[n]
				for {
					if s.path == ownNamespace && r.IntN(20) == 0 {
						return zero
					}
					state := known.states[known.random(r)]
					if like != nil && r.IntN(10) < keep && l.state(like, n) != absent {
						state = l.state(like, n)
					}
					if state != absent || s.own {
						return state
					}
				}
			}
			f.value = func(s *spot, c class) string {
				if c == boolean {
					return fmt.Sprint(r.IntN(2) == 0)
				} else if c == number {
					n := 1 + r.IntN(3)
					if near, far := l.words(s); len(near)+len(far) > 0 { // a neighbor of a constant
						n = int(numberOf(append(near, far...)[0])) - 1 + r.IntN(3)
					}
					return fmt.Sprint(n)
				}
				if r.IntN(6) > 0 {
					return string("abc"[r.IntN(3)])
				}
				of, far := l.words(s) // a function may look into a text, or change it
				if strings.HasPrefix(s.path, ".metadata.name") {
					return []string{"a-b", "a.b"}[r.IntN(2)]
				} else if len(of) == 0 {
					of = append(far, "a", "b.c", "d://e")
				}
				w := of[r.IntN(len(of))]
				return []string{w + "/", "B/" + w, w + "-b", w + ".b", "b" + w, strings.ToUpper(w), " " + w, w + "/b/c"}[r.IntN(8)]
			}
			f.fill(obj.Elem(), "", false)
			keys, panicked := l.call(obj.Interface())
			slices.Sort(keys)
			out = append(out, sample{obj.Elem(), slices.Compact(keys), panicked})
		}
	}
	return out
}

// check compares markers with the function on random objects. It returns notes on how they differ, or why the markers
// do not replace the function.
func (l *learner) check(markers []*marker, samples []sample) (notes []string, why string) {
	possible := l.exclusions(markers)
	var covered [][]int // for each difference, the exclusions that cover it
	var excluded []exclusion
	differ, panics := 0, ""
	shorter := func(of *string, text string) {
		if *of == "" || len(text) < len(*of) {
			*of = text
		}
	}
	for _, s := range samples {
		got := keysOf(markers, s.obj)
		if slices.Equal(got, s.keys) {
			continue
		}
		if s.panicked != "" && l.loose {
			shorter(&panics, fmt.Sprintf("the function panics for %s: %s", shown(s.obj), s.panicked))
			continue
		}
		var by []int
		for i, e := range possible {
			if e.covers(s.obj, s.keys, got) {
				by = append(by, i)
			}
		}
		if by != nil {
			covered = append(covered, by)
			continue
		}
		theirs := fmt.Sprintf("returns %q", s.keys)
		if s.panicked != "" {
			theirs = "panics: " + s.panicked
		}
		shorter(&why, fmt.Sprintf("for %s the function %s, and %s %q", shown(s.obj), theirs, described(markers), got))
		if differ++; differ > 40 {
			break
		}
	}
	slices.SortStableFunc(covered, func(a, b []int) int { return len(a) - len(b) })
	used := map[int]bool{}
	for _, by := range covered {
		if !slices.ContainsFunc(by, func(i int) bool { return used[i] }) {
			used[by[0]] = true
		}
	}
	for i, e := range possible {
		if used[i] {
			excluded = append(excluded, e)
		}
		if used[i] && e.note != "" {
			notes = append(notes, e.note)
		}
	}
	for _, m := range markers {
		if why == "" && !m.reached(samples, excluded) {
			why = "no random object that was tried is indexed by " + m.Text()
		}
	}
	if panics != "" {
		notes = append(notes, panics)
	}
	return notes, why
}

// keysOf returns the keys of all markers, sorted.
func keysOf(markers []*marker, obj reflect.Value) (out []string) {
	for _, m := range markers {
		keys, _ := m.keys(obj)
		out = append(out, keys...)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// rows returns objects for a test: for each template one with its keys, those that differ from it in one field, and
// some with lists of several elements.
func (l *learner) rows(markers []*marker, samples []sample) (out []Row) {
	seen := map[string]bool{}
	add := func(obj reflect.Value, keys []string) {
		text, err := json.Marshal(obj.Addr().Interface())
		if err == nil && !seen[string(text)] && slices.Equal(keys, keysOf(markers, obj)) {
			seen[string(text)] = true
			out = append(out, Row{text, keys})
		}
	}
	for n, t := range l.found {
		for i := range l.spots {
			for state := 0; t.asked[i] && state < min(len(l.spots[i].states), 5) && len(out) < 40*(n+1)/len(l.found); state++ {
				a := l.changed(t.example(), i, state)
				if a == nil {
					continue
				}
				obj := l.object(a)
				if keys, panicked := l.call(obj); panicked == "" {
					slices.Sort(keys)
					add(reflect.ValueOf(obj).Elem(), slices.Compact(keys))
				}
			}
		}
	}
	for i, n := 0, len(out)+12; i < len(samples) && len(out) < n; i++ {
		if len(samples[i].keys) > 1 || i%100 == 0 && samples[i].panicked == "" {
			add(samples[i].obj, samples[i].keys)
		}
	}
	return out
}

// reached reports whether the marker has keys, and defaults if it may, for objects that are not excluded.
func (m *marker) reached(samples []sample, excluded []exclusion) bool {
	keyed, defaulted := false, m.otherwise == ""
	for _, s := range samples {
		keys, d := m.keys(s.obj)
		if len(keys) == 0 || s.panicked != "" || slices.ContainsFunc(excluded, func(e exclusion) bool { return e.covers(s.obj, nil, nil) }) {
			continue
		}
		if d {
			defaulted = true
		} else {
			keyed = true
		}
		if keyed && defaulted {
			return true
		}
	}
	return false
}

func described(markers []*marker) string {
	var out []string
	for _, m := range markers {
		out = append(out, strings.Replace(m.Text(), "name=NAME,", "", 1))
	}
	return strings.Join(out, " and ")
}

// empty matches what is empty in the JSON of an object.
var empty = regexp.MustCompile(`"[^"]*":(null|""|0|false|\{\}|\[\]),?`)

// shown returns an object as JSON without what is empty.
func shown(obj reflect.Value) string {
	text, err := json.Marshal(obj.Addr().Interface())
	if err != nil {
		return fmt.Sprintf("%+v", obj.Interface())
	}
	for before := ""; before != string(text); {
		before = string(text)
		text = []byte(strings.ReplaceAll(empty.ReplaceAllString(before, ""), ",}", "}"))
	}
	return string(text)
}
