// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package learn

import (
	"slices"
	"strings"
)

// A template is a form of keys: texts before, between and after values of spots.
type template struct {
	learner    *learner
	bareMarker *marker   // without conditions
	yes, no    []*sample // for which the function returns it, and for which it does not
}

// template returns the template of a key.
func (l *learner) template(key string) *template {
	bare := &marker{learner: l}
	from := 0
	for _, m := range ownStates.FindAllStringIndex(key, -1) {
		is := func(s *spot) bool { return s.states[0] == "="+key[m[0]:m[1]] }
		if i := slices.IndexFunc(l.spots, is); i >= 0 {
			bare.text, bare.places = append(bare.text, key[from:m[0]]), append(bare.places, l.spots[i].path)
			from = m[1]
		}
	}
	bare.text = append(bare.text, key[from:])
	return &template{learner: l, bareMarker: bare}
}

// key returns the template's key for a sample, or false if a place is absent.
func (t *template) key(s *sample) (string, bool) {
	out := t.bareMarker.text[0]
	for n, p := range t.bareMarker.places {
		state := s.states[t.learner.index[p].id]
		if state == stateAbsent {
			return "", false
		}
		out += state[1:] + t.bareMarker.text[n+1]
	}
	return out, true
}

// unnamed reports whether the last part of a key is empty, which emitted functions leave out.
func unnamed(key string) bool { return key == "" || strings.HasSuffix(key, "/") }

// add notes whether the function returns the template for a sample. It is not known if a place is absent, if the function
// panics, which no program can have met, or if the key may be of another template.
func (t *template) add(s *sample) {
	key, ok := t.key(s)
	switch {
	case !ok || s.panicked != "":
	case !slices.Contains(s.keys, key):
		t.no = append(t.no, s)
	case !slices.ContainsFunc(t.learner.found, func(o *template) bool { k, ok := o.key(s); return ok && k == key && o != t }):
		t.yes = append(t.yes, s)
	}
}

// discover runs the function on random samples, and collects the templates of its keys.
func (l *learner) discover() {
	for i := range randomSamples {
		s, like := l.first, l.first
		if n := len(l.found); i%3 == 1 && n > 0 {
			like = one(l.rand, l.found).example()
		} else if i%3 == 2 {
			like = nil
		}
		if i > 0 {
			s = l.sample(l.random(like))
		}
		l.collect(s)
	}
	l.tryTexts()
	for _, t := range slices.Clone(l.found) { // those are left out whose keys are all of others
		if t.sort(); len(t.yes) == 0 {
			l.found = slices.DeleteFunc(l.found, func(o *template) bool { return o == t })
		}
	}
}

// collect adds templates of keys that those found do not have.
func (l *learner) collect(s *sample) {
	for _, key := range s.given {
		known := func(t *template) bool { k, ok := t.key(s); return ok && k == key }
		if !slices.ContainsFunc(l.found, known) {
			l.found = append(l.found, l.template(key))
		}
	}
}

// sort sorts all samples into those for which the function returns the template, and the others.
func (t *template) sort() {
	t.yes, t.no = nil, nil
	for _, s := range t.learner.samples {
		t.add(s)
	}
}

// example returns a sample for which the function returns the template, if there is one.
func (t *template) example() *sample {
	if len(t.yes) == 0 {
		t.sort()
	}
	if len(t.yes) == 0 {
		return t.learner.first
	}
	return one(t.learner.rand, t.yes)
}
