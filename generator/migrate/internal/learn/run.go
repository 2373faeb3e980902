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

// A learner runs a function on objects whose spots have known states. Lists have one element.
type learner struct {
	*Function
	typ   reflect.Type // of the objects
	spots []*spot
	index map[string]int // of the spots, by path
	rand  *rand.Rand
	mark  string // is in all texts that are unlike others
	ran   map[string]outcome
	pool  [][]byte // assignments that ran
	found []*template
	loose bool // what the function returns is not known for objects for which it panics; otherwise there are no keys
}

// An assignment has the number of a state for each spot.
type assignment = []byte

// A template is a form of keys: texts before, between and after values of spots.
type template struct {
	*learner
	key     string
	text    []string
	places  []int
	yes, no []assignment // for which the function returns it, and for which it does not
	asked   map[int]bool // spots on which it depends, and its places
}

// An outcome is what the function returns: keys, in which paths take the place of texts of the object.
type outcome struct {
	keys     []string
	panicked string
}

// The text of a spot in a key, and paths that take its place.
var (
	marks = regexp.MustCompile(`[QX]\d+z|K\d+z|-?70\d{5}`)
	holes = regexp.MustCompile("\x00[^\x00]*\x00")
)

func (l *learner) state(a assignment, i int) string { return l.spots[i].states[a[i]] }

// consistent makes what is below an absent value absent, and what cannot be absent by itself present.
func (l *learner) consistent(a assignment) {
	for i, s := range l.spots {
		above := s.parent < 0 || l.present(a, s.parent)
		switch state := l.state(a, i); {
		case !above:
			a[i] = byte(slices.Index(s.states, absent))
		case state == absent && !s.own:
			a[i] = byte(slices.Index(s.states, zero))
		}
	}
}

// present reports whether a spot is there, and not an empty list.
func (l *learner) present(a assignment, i int) bool {
	state := l.state(a, i)
	return state != absent && (state != zero || l.spots[i].class != list)
}

// changed returns an assignment in which a spot is in another state, or nil if it cannot be.
func (l *learner) changed(a assignment, i, state int) assignment {
	a = slices.Clone(a)
	s := l.spots[i]
	a[i] = byte(state)
	for p := s.parent; p >= 0 && s.states[state] != absent; p = l.spots[p].parent {
		if !l.present(a, p) {
			a[p] = 0
		}
	}
	if s.states[state] == absent && !s.own && s.parent >= 0 {
		above := l.spots[s.parent]
		a[s.parent] = byte(max(slices.Index(above.states, absent), slices.Index(above.states, zero)))
	}
	if l.consistent(a); a[i] != byte(state) {
		return nil
	}
	return a
}

// object returns an object with the states of an assignment.
func (l *learner) object(a assignment) any {
	obj := reflect.New(l.typ)
	f := &filler{Function: l.Function, many: func() int { return 1 }, depth: map[reflect.Type]int{}}
	f.choose = func(s *spot) string { return l.state(a, l.index[s.path]) }
	f.value = func(s *spot, c class) string {
		switch i := l.index[s.path]; {
		case c == boolean:
			return "true"
		case c == number:
			return fmt.Sprint(7000000 + i)
		case strings.HasSuffix(s.path, ".KEY"):
			return fmt.Sprintf("K%dz", len(s.path))
		default:
			return fmt.Sprintf("%s%dz", l.mark, i)
		}
	}
	f.fill(obj.Elem(), "", false)
	return obj.Interface()
}

// run returns what the function returns for an assignment.
func (l *learner) run(a assignment) outcome {
	if known, ok := l.ran[string(a)]; ok {
		return known
	}
	keys, panicked := l.call(l.object(a))
	for i, key := range keys {
		keys[i] = marks.ReplaceAllStringFunc(key, func(m string) string {
			n := strings.Trim(m, "QXz")
			if len(n) == 7 && len(m) == 7 {
				n = fmt.Sprint(numberOf(n) - 7000000)
			}
			if i := numberOf(n); isNumber(n) && i >= 0 && int(i) < len(l.spots) {
				return "\x00" + l.spots[i].path + "\x00"
			}
			return "\x00.KEY\x00"
		})
	}
	l.ran[string(a)] = outcome{keys, panicked}
	return l.ran[string(a)]
}

// call returns the function's keys of an object. If it panics, there are none: no program has such an object in a cache.
func (f *Function) call(obj any) (keys []string, panicked string) {
	defer limit(func() string { return shown(reflect.ValueOf(obj).Elem()) })()
	defer func() {
		if r := recover(); r != nil {
			panicked = fmt.Sprint(r)
			f.panicked = panicked
		}
	}()
	keys, err := f.Call(obj)
	if err != nil { // client-go panics
		f.panicked = err.Error()
		return nil, f.panicked
	}
	return slices.Clone(keys), ""
}

// yields reports whether the function returns a template for an assignment. It is not known if a place is absent, or if
// the key may be of another template.
func (t *template) yields(a assignment) (yes, known bool) {
	key, ok := t.rendered(a)
	if out := t.run(a); !ok || !slices.Contains(out.keys, key) {
		return false, ok && (out.panicked == "" || !t.loose)
	}
	others := slices.ContainsFunc(t.found, func(o *template) bool {
		other, ok := o.rendered(a)
		return ok && other == key && o.key != t.key
	})
	return !others, !others
}

// template returns the template of a key.
func (l *learner) template(key string) *template {
	t := &template{learner: l, key: key, text: holes.Split(key, -1), asked: map[int]bool{}}
	for _, hole := range holes.FindAllString(key, -1) {
		i, ok := l.index[strings.Trim(hole, "\x00")]
		if !ok {
			i = -1
		}
		t.places = append(t.places, i)
		t.asked[i] = true
	}
	return t
}

// rendered returns the key for an assignment, or false if a place is absent.
func (t *template) rendered(a assignment) (string, bool) {
	out := t.text[0]
	for n, i := range t.places {
		if i < 0 {
			out += "\x00.KEY\x00" + t.text[n+1]
			continue
		}
		state := t.state(a, i)
		switch value, ok := valueOf(state, t.spots[i].class); {
		case ok:
			out += value
		case state == absent:
			return "", false
		default:
			out += "\x00" + t.spots[i].path + "\x00"
		}
		out += t.text[n+1]
	}
	return out, true
}

// sample returns a random assignment, some of whose states are those of like, unless it is nil.
func (l *learner) sample(like assignment, plain bool) assignment {
	a := make(assignment, len(l.spots))
	keep := l.rand.IntN(10)
	for i, s := range l.spots {
		if like != nil && l.rand.IntN(10) < keep+1 {
			a[i] = like[i]
			continue
		}
		for a[i] = s.random(l.rand); plain && strings.HasPrefix(s.states[a[i]], "=") && s.class != boolean; {
			a[i] = s.random(l.rand)
		}
	}
	l.consistent(a)
	return a
}

func (s *spot) random(r *rand.Rand) byte {
	sum := 0
	for _, n := range s.odds {
		sum += n
	}
	n := r.IntN(sum)
	for i, odds := range s.odds {
		if n -= odds; n < 0 {
			return byte(i)
		}
	}
	return 0
}

// discover runs the function on random assignments, and collects the templates of its keys. Assignments without
// constants come first, so that a constant in a key is one of the function.
func (l *learner) discover(tries int) {
	note := func(a assignment) {
		if _, ok := l.ran[string(a)]; ok {
			return
		}
		l.pool = append(l.pool, a)
		for _, key := range l.run(a).keys {
			known := func(t *template) bool { k, ok := t.rendered(a); return t.key == key || ok && k == key }
			if !slices.ContainsFunc(l.found, known) {
				l.found = append(l.found, l.template(key))
			}
		}
	}
	full := make(assignment, len(l.spots))
	note(full)
	for i := 0; i < tries; i++ {
		var like assignment
		if i%3 == 0 {
			like = full
		} else if i%3 == 1 && len(l.found) > 0 {
			like = l.found[l.rand.IntN(len(l.found))].example()
		}
		note(l.sample(like, i < tries/4))
	}
	// Those are left out whose keys are all of others.
	for _, t := range slices.Clone(l.found) {
		if t.yes = nil; t.example() == nil {
			l.found = slices.DeleteFunc(l.found, func(o *template) bool { return o == t })
		}
	}
}

// example returns an assignment for which the function returns the template, or nil.
func (t *template) example() assignment {
	if len(t.yes) == 0 {
		for _, a := range t.pool {
			t.add(a)
		}
	}
	if len(t.yes) == 0 {
		return nil
	}
	return t.yes[t.rand.IntN(len(t.yes))]
}
