// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package learn

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// A Function is an index function, and what its source mentions.
type Function struct {
	Types  []func() any                    // of the objects that it may take; the first that has keys counts
	Call   func(obj any) ([]string, error) // the function
	Fields map[string]bool                 // names of fields in Go
	Words  map[string][]string             // constants, by the field that they are compared with, in lower case; "" has the others
	Keys   []string                        // constant keys of maps

	Constants map[int][]string // that conditions of the source compare, by id
}

// An Answer has the markers for a function, or says why there are none.
type Answer struct {
	Type    int // of Function.Types
	Indexes []Index
	Rows    []Row
	Reason  string
	Keyed   bool // the function returns keys, though there is a reason

	OneWay map[int]bool // the ids of conditions of the source that were always true, or always false

	Recorded []Recorded // of the question record
}

// An Index has the markers for the keys of one form.
type Index struct {
	Markers []string // with NAME in place of the index's name
	Notes   []string // how keys differ, and for which objects
	Parts   int      // of a key; 0 in a state
	State   string   // the key of a state
	Option  string   // that one marker of a union has for all, and all of Markers have, or ""
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
		placed := func(t *template) bool { return len(t.bareMarker.places) > 0 }
		for n := 0; n < discoveryRounds && !slices.ContainsFunc(l.found, placed); n++ {
			l.discover()
		}
		if len(l.found) > 0 {
			out = l.answer()
			out.Type = i
			return out
		}
		reason := "no object that was tried has a key"
		if l.first.panicked != "" {
			reason = "no keys, and a panic: " + l.first.panicked
		}
		out = l.unmarked(reason)
		out.Type = i
	}
	return out
}

// answer returns the smallest markers that are found.
func (l *learner) answer() Answer {
	if key := l.changes(); strings.Contains(key, ownKey) {
		return l.unmarked("keys of a map")
	} else if key != "" {
		return l.unmarked(fmt.Sprintf("a key that is not made of whole fields: %q", key))
	}
	unnamed := func(t *template) bool { return len(t.bareMarker.places) == 0 && unnamed(t.bareMarker.text[0]) }
	named := slices.DeleteFunc(slices.Clone(l.found), unnamed)
	out := l.answerFor(l.found)
	if some := len(named); some > 0 && some < len(l.found) && (out.Reason != "" || len(out.Indexes) > 1) {
		out = l.answerFor(named)
	}
	return out
}

// answerFor returns the smallest markers for templates.
func (l *learner) answerFor(found []*template) Answer {
	l.found = found
	var markers []*marker
	for _, t := range l.found {
		of, err := t.markers()
		if err != nil {
			return l.unmarked(err.Error())
		}
		markers = append(markers, of...)
	}
	if l.others == nil {
		l.randomObjects()
	}
	markers, differences := l.smallest(markers)
	notes, why := differences.verdict(markers)
	for _, m := range markers {
		why = cmp.Or(m.bad(), why)
	}
	if why != "" {
		return l.unmarked(why)
	}
	out := Answer{Rows: l.rows(markers), OneWay: l.oneWay()}
	forms := map[string]int{}
	for _, m := range markers { // an index for each form of keys
		form := fmt.Sprintf("%q", m.text)
		i, ok := forms[form]
		if !ok {
			i, forms[form] = len(out.Indexes), len(out.Indexes)
			state := map[bool]string{true: m.text[0]}[len(m.places) == 0]
			out.Indexes = append(out.Indexes, Index{Parts: len(m.places), State: state, Option: m.unionOption()})
		}
		out.Indexes[i].Markers = append(out.Indexes[i].Markers, m.Text())
	}
	isTrue := func(ix Index) int { return map[bool]int{true: 0, false: 1}[ix.State == "true"] } // it gets the index's name
	slices.SortStableFunc(out.Indexes, func(a, b Index) int { return isTrue(a) - isTrue(b) })
	out.Indexes[0].Notes = notes
	return out
}

// unmarked returns the answer for a function that no markers replace.
func (l *learner) unmarked(reason string) Answer {
	if l.others == nil {
		l.randomObjects()
	}
	return Answer{Reason: reason, Keyed: true, Rows: l.rows(nil)}
}

// changes returns a key that is not made of whole fields, or "".
func (l *learner) changes() string {
	for _, t := range l.found {
		like := t.example()
		other := l.run(func(s *spot) string { // with other texts
			if s.class == text && (s.id < 0 || like.states[s.id] == s.states[0]) {
				return otherText(s.id)
			} else if s.id < 0 {
				return s.states[0]
			}
			return like.states[s.id]
		}, false)
		if key, ok := t.key(other); !ok || !slices.Contains(other.keys, key) {
			key, _ = t.key(like)
			return key
		}
	}
	return ""
}
