// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package learn

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
)

// A Function is an index function, and what its source mentions.
type Function struct {
	Types  []func() any                    // of the objects that it may take; the first that has keys counts
	Call   func(obj any) ([]string, error) // the function
	Fields map[string]bool                 // names of fields in Go
	Words  map[string][]string             // constants, by the field that they are compared with, in lower case; "" has the others
	Keys   []string                        // constant keys of maps

	panicked string
}

// An Answer has the markers for a function, or says why there are none.
type Answer struct {
	Type    int // of Function.Types
	Indexes []Index
	Rows    []Row
	Reason  string

	Recorded []Recorded // of the question record
}

// An Index has the markers for the keys of one form.
type Index struct {
	Form    []string // text before, between and after the parts of a key
	Markers []string // with NAME in place of the index's name
	Notes   []string // how keys differ, and for which objects
}

// A Row is an object for a test, and the keys that the function and the markers return.
type Row struct {
	Object json.RawMessage
	Keys   []string
}

// Learn runs a function on many objects, and returns markers that were compared with it on others.
func Learn(f *Function) (out Answer) {
	for i, make := range f.Types {
		l := f.learner(make())
		placed := func(t *template) bool { return len(t.places) > 0 }
		for n := 0; n < 10 && !slices.ContainsFunc(l.found, placed); n++ {
			l.discover()
		}
		if len(l.found) > 0 {
			out = l.answer()
			out.Type = i
			return out
		}
		if out = (Answer{Type: i, Reason: "no keys"}); f.panicked != "" {
			out.Reason = "no keys, and a panic: " + f.panicked
		}
	}
	return out
}

var mapKey = regexp.MustCompile(`K\d+z`)

// answer returns the smallest markers that are found.
func (l *learner) answer() (out Answer) {
	for _, t := range l.found {
		like := t.example()
		other := l.run(func(s *spot) string { // with other texts
			if s.id < 0 || like.states[s.id] == s.states[0] && s.class == text {
				return fmt.Sprintf("=X%dz", s.id)
			}
			return like.states[s.id]
		}, false, false)
		if key, ok := t.key(other); !ok || !slices.Contains(other.keys, key) {
			if key, _ = t.key(like); mapKey.MatchString(key) {
				return Answer{Reason: "a key that is the key of a map"}
			}
			return Answer{Reason: fmt.Sprintf("a key that is not made of whole fields: %q", key)}
		}
	}
	unnamed := func(t *template) bool { return len(t.places) == 0 && unnamed(t.text[0]) }
	if named := slices.DeleteFunc(slices.Clone(l.found), unnamed); len(named) > 0 {
		l.found = named
	}
	l.randomObjects()
	for _, l.loose = range []bool{false, true} {
		if out = l.learned(); out.Reason == "" || l.panicked == "" {
			break
		}
	}
	return out
}

func (l *learner) learned() (out Answer) {
	var markers []*marker
	for _, t := range l.found {
		of, err := t.markers()
		if err != nil {
			return Answer{Reason: err.Error()}
		}
		markers = append(markers, of...)
	}
	markers, differences := l.smallest(markers)
	for _, m := range markers {
		if why := m.bad(); out.Reason == "" || len(m.places) == 0 {
			out.Reason = why
		}
	}
	if out.Reason != "" {
		return out
	}
	notes, why := differences.told(markers)
	if why != "" {
		return Answer{Reason: why}
	}
	for _, m := range markers { // an index for each form of keys
		i := slices.IndexFunc(out.Indexes, func(ix Index) bool { return slices.Equal(ix.Form, m.text) })
		if i < 0 {
			i, out.Indexes = len(out.Indexes), append(out.Indexes, Index{Form: m.text})
		}
		out.Indexes[i].Markers = append(out.Indexes[i].Markers, m.Text())
	}
	out.Indexes[0].Notes, out.Rows = notes, l.rows(markers)
	return out
}
