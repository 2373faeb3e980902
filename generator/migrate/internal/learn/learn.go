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
		l := f.learner(make(), "Q")
		for n := 0; n < 10 && (n == 0 || !slices.ContainsFunc(l.found, func(t *template) bool { return len(t.places) > 0 && !unnamed(t) })); n++ {
			l.discover(2000)
		}
		if len(l.found) > 0 {
			out = l.answer()
		} else if out.Reason = "no keys"; f.panicked != "" {
			out.Reason = "no keys, and a panic: " + f.panicked
		}
		if out.Type = i; len(l.found) > 0 {
			return out
		}
	}
	return out
}

func (f *Function) learner(obj any, mark string) *learner {
	l := &learner{
		Function: f, typ: reflect.TypeOf(obj).Elem(), spots: f.spots(obj), index: map[string]int{},
		rand: rand.New(rand.NewPCG(1, 1)), mark: mark, ran: map[string]outcome{},
	}
	for i, s := range l.spots {
		l.index[s.path] = i
	}
	return l
}

// answer returns the smallest markers that pass the check.
func (l *learner) answer() (out Answer) {
	again := *l
	again.mark, again.ran = "X", map[string]outcome{}
	for _, t := range l.found {
		if slices.Contains(t.places, -1) {
			return Answer{Reason: "a key that is the key of a map"}
		}
		other := *t
		other.learner = &again
		if yes, _ := other.yields(t.example()); !yes {
			return Answer{Reason: fmt.Sprintf("a key that is not made of whole fields: %q", strings.ReplaceAll(t.key, "\x00", "'"))}
		}
	}
	if named := slices.DeleteFunc(slices.Clone(l.found), unnamed); len(named) > 0 {
		l.found = named
	}
	samples := l.randomObjects()
	for _, l.loose = range []bool{false, true} {
		if out = l.checked(samples); out.Reason == "" || l.panicked == "" {
			break
		}
	}
	return out
}

// checked returns the first markers that pass the check.
func (l *learner) checked(samples []sample) (out Answer) {
	var byTemplate [][]*marker
	for _, t := range l.found {
		of, err := t.markers()
		if err != nil {
			return Answer{Reason: err.Error()}
		}
		byTemplate = append(byTemplate, of)
	}
	for _, try := range candidates(byTemplate) {
		out.Reason = ""
		for _, m := range try {
			if len(m.places) == 0 {
				out.Reason = fmt.Sprintf("the key %q is a constant", m.text[0])
			} else if out.Reason == "" {
				out.Reason = m.bad
			}
		}
		if out.Reason == "" {
			var notes []string
			if notes, out.Reason = l.check(try, samples); out.Reason == "" {
				return Answer{Indexes: indexes(try, notes), Rows: l.rows(try, samples)}
			}
		}
	}
	return out
}

// unnamed reports whether the last part of a template's key is empty, which emitted functions leave out.
func unnamed(t *template) bool { return t.key == "" || strings.HasSuffix(t.key, "/") }

// candidates returns markers to check, those with the fewest conditions first.
func candidates(byTemplate [][]*marker) (out [][]*marker) {
	plain := slices.Concat(byTemplate...)
	groups := [][]*marker{}
	for _, m := range references(plain) {
		same := func(g []*marker) bool {
			return slices.Equal(g[0].places, m.places) && slices.Equal(g[0].text, m.text) && g[0].namespace == m.namespace
		}
		if i := slices.IndexFunc(groups, same); i >= 0 {
			groups[i] = append(groups[i], m)
		} else {
			groups = append(groups, []*marker{m})
		}
	}
	if len(groups) <= 6 {
		for i, first := range groups {
			for j, second := range groups {
				if i == j {
					continue
				}
				var rest []*marker
				for k, g := range groups {
					if k != i && k != j {
						rest = append(rest, g...)
					}
				}
				for _, all := range []bool{false, true} {
					if try := withDefault(first, second, rest, all); try != nil {
						out = append(out, unconditioned(try), try)
					}
				}
			}
		}
	}
	refs := slices.Concat(groups...)
	// A path to each value of a map has those by a constant key.
	general := slices.DeleteFunc(slices.Clone(refs), func(m *marker) bool {
		return slices.ContainsFunc(refs, func(o *marker) bool {
			return len(m.places) == 1 && len(o.places) == 1 && o != m && strings.HasSuffix(o.places[0], each) &&
				strings.HasPrefix(m.places[0], strings.TrimSuffix(o.places[0], each)+"['")
		})
	})
	out = append(out, targeted(unconditioned(general)), targeted(refs), general, refs, plain)
	return withSimple(out)
}

// withSimple puts before each list of markers one in which an empty text counts as an absent one.
func withSimple(lists [][]*marker) (out [][]*marker) {
	seen := map[string]bool{}
	empty := func(c condition) bool { return c.equals && c.literal == "" }
	for _, list := range lists {
		var try []*marker
		for _, m := range list {
			without := m.without(func(c condition) bool { return empty(c) && c.not })
			if try = append(try, without); slices.ContainsFunc(without.conditions(), empty) {
				try = try[:len(try)-1]
			}
		}
		for _, l := range [][]*marker{try, list} {
			if text := fmt.Sprint(l); len(l) > 0 && !seen[text] {
				seen[text] = true
				out = append(out, l)
			}
		}
	}
	return out
}

// indexes returns an index for each form of keys.
func indexes(markers []*marker, notes []string) (out []Index) {
	for _, m := range markers {
		i := slices.IndexFunc(out, func(ix Index) bool { return slices.Equal(ix.Form, m.text) })
		if i < 0 {
			i, out = len(out), append(out, Index{Form: m.text})
		}
		if text := m.Text(); !slices.Contains(out[i].Markers, text) {
			out[i].Markers = append(out[i].Markers, text)
		}
	}
	out[0].Notes = notes
	return out
}
