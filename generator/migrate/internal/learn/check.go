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

// randomObjects returns objects. Most of them resemble those for which the function is known to return some template.
func (l *learner) randomObjects() (out []*sample) {
	for seed := range seeds {
		r := rand.New(rand.NewPCG(uint64(seed), 61))
		for i := range objects {
			var like *sample
			if i%4 != 0 {
				like = l.found[i/4%len(l.found)].example()
			}
			keep := r.IntN(10)
			f := &filler{many: func() int { return r.IntN(4) }}
			if f.all = i%20 == 0; f.all { // the function may read what its source does not show
				f.many = one
			}
			out = append(out, l.run(f, func(s spot, i int, known bool) string {
				state := s.class.zero()
				if known {
					if s.path == ownNamespace && r.IntN(20) == 0 {
						return state
					} else if state = l.spots[i].random(r); like != nil && r.IntN(10) < keep && like.states[i] != "" {
						state = like.states[i]
					}
					if state != l.spots[i].states[0] {
						return state
					}
				}
				return l.unlike(&s, r)
			}))
		}
	}
	return out
}

// unlike returns a state that is seldom like others.
func (l *learner) unlike(s *spot, r *rand.Rand) string {
	switch n := 1 + r.IntN(3); s.class {
	case boolean:
		return fmt.Sprint("=", n < 2)
	case number:
		if near, far := l.words(s); len(near)+len(far) > 0 { // a neighbor of a constant
			n += int(numberOf(append(near, far...)[0][1:])) - 2
		}
		return fmt.Sprint("=", n)
	case text:
		return "=" + "abc"[n-1:n]
	}
	return "=all"
}

// A difference tells how keys of markers differ from those of the function.
type difference struct {
	noted   int    // samples that differ as notes tell
	notes   []note // that tell it
	unnoted []*sample
	panics  []*sample
	missing *marker // no sample is indexed by it
}

// compare compares markers with the function. It ends when more samples differ than another list of markers has.
func (l *learner) compare(markers []*marker, most *difference) (out difference) {
	notes := l.notes(markers)
	var noted [][]note
	for _, s := range l.all() {
		var got []string
		for _, m := range markers {
			got = append(got, m.keys(s).keys...)
		}
		slices.Sort(got)
		got = slices.Compact(got)
		if slices.Equal(got, s.keys) {
			continue
		}
		if s.panicked != "" && l.loose {
			out.panics = append(out.panics, s)
			continue
		}
		by := slices.DeleteFunc(slices.Clone(notes), func(n note) bool { return !n.covers(s, got) })
		if len(by) > 0 {
			noted = append(noted, by)
			out.noted++
		} else {
			out.unnoted = append(out.unnoted, s)
		}
		if most != nil && !out.within(most, true) {
			return out
		}
	}
	slices.SortStableFunc(noted, func(a, b []note) int { return len(a) - len(b) })
	for _, by := range noted {
		told := func(n note) bool {
			return slices.ContainsFunc(out.notes, func(o note) bool { return o.id == n.id })
		}
		if !slices.ContainsFunc(by, told) {
			out.notes = append(out.notes, by[0])
		}
	}
	slices.SortFunc(out.notes, func(a, b note) int { return a.id - b.id })
	for _, m := range markers {
		if !l.reached(m, out.notes) {
			out.missing = m
		}
	}
	return out
}

// reached reports whether a marker has keys, and defaults if it may, for samples of which no note tells.
func (l *learner) reached(m *marker, notes []note) bool {
	keyed, defaulted := false, m.otherwise == ""
	return slices.ContainsFunc(l.all(), func(s *sample) bool {
		made := m.keys(s)
		if len(made.keys) > 0 && s.panicked == "" && !slices.ContainsFunc(notes, func(n note) bool { return n.covers(s, nil) }) {
			keyed, defaulted = keyed || !made.defaulted, defaulted || made.defaulted
		}
		return keyed && defaulted
	})
}

// all returns all samples.
func (l *learner) all() []*sample { return slices.Concat(l.others, l.samples) }

// within reports whether markers are as good as others.
func (d *difference) within(o *difference, noted bool) bool {
	return len(d.unnoted) <= len(o.unnoted) && (noted || d.noted <= o.noted) && d.missing == nil
}

// smallest rewrites markers as long as they become shorter and no worse.
func (l *learner) smallest(markers []*marker) ([]*marker, difference) {
	size := func(list []*marker) (n int) {
		for _, m := range list {
			n += len(m.Text())
		}
		return n
	}
	now := l.compare(markers, nil)
	for again := true; again && len(now.unnoted) < 400; {
		again = false
		rewrites(markers, func(list []*marker, noted bool) bool {
			if size(list) >= size(markers) {
				return false
			}
			next := l.compare(list, &now)
			if again = next.within(&now, noted); again {
				markers, now = list, next
			}
			return again
		})
	}
	return markers, now
}

// told returns the notes that tell how markers differ, or why they do not replace the function.
func (l *learner) told(markers []*marker, d difference) (notes []string, why string) {
	for _, n := range d.notes {
		if n.text != "" {
			notes = append(notes, n.text)
		}
	}
	if s, text := shortest(d.panics); s != nil {
		notes = append(notes, fmt.Sprintf("the function panics for %s: %s", text, s.panicked))
	}
	if s, text := shortest(d.unnoted); s != nil {
		theirs := fmt.Sprintf("returns %q", s.keys)
		if s.panicked != "" {
			theirs = "panics: " + s.panicked
		}
		var got, described []string
		for _, m := range markers {
			got = append(got, m.keys(s).keys...)
			described = append(described, strings.Replace(m.Text(), "name=NAME,", "", 1))
		}
		slices.Sort(got)
		return nil, fmt.Sprintf("for %s the function %s, and %s %q", text, theirs, strings.Join(described, " and "), slices.Compact(got))
	}
	if d.missing != nil {
		why = "no random object that was tried is indexed by " + d.missing.Text()
	}
	return notes, why
}

// A note tells a difference. Without a text, nobody has such objects.
type note struct {
	id     int
	text   string
	covers func(s *sample, got []string) bool
}

// notes returns the differences that markers may have.
func (l *learner) notes(markers []*marker) (out []note) {
	add := func(text string, covers func(s *sample, got []string) bool) {
		if text == "" || !slices.ContainsFunc(out, func(n note) bool { return n.text == text }) {
			out = append(out, note{len(out), text, covers})
		}
	}
	if _, ok := l.index[ownNamespace]; ok {
		text := "objects are expected to have a namespace"
		if slices.ContainsFunc(markers, func(m *marker) bool { return m.ref }) {
			text = "" // as all objects that refer to others
		}
		add(text, func(s *sample, _ []string) bool { return stateAt(s.obj, ownNamespace) == "=" })
	}
	for _, m := range markers {
		unnamedText := "references with an empty name are not indexed"
		if !m.ref && len(m.places) == 1 && strings.Contains(m.places[0], "['") {
			unnamedText = fmt.Sprintf("objects without %s are not indexed", m.path(m.places[0]))
		} else if !m.ref {
			unnamedText = ""
		}
		if unnamedText != "" {
			add(unnamedText, func(s *sample, got []string) bool {
				named := func(keys []string) []string { return slices.DeleteFunc(slices.Clone(keys), unnamed) }
				return slices.ContainsFunc(slices.Concat(s.keys, got), unnamed) && slices.Equal(named(s.keys), named(got))
			})
		}
		if m.named() { // names have no slash
			add("", func(s *sample, got []string) bool {
				return slices.ContainsFunc(slices.Concat(s.keys, got), func(k string) bool { return strings.Count(k, "/") > 1 })
			})
		}
	}
	for _, m := range markers {
		paths := []string{m.otherwise, m.namespace}
		if m.otherwise != "" {
			paths = append(paths, m.places[0])
		}
		if m.to != nil {
			paths = append(paths, m.holder+".kind", m.holder+"."+m.to.groupField)
		}
		for _, c := range m.conds {
			paths = append(paths, c.path)
			if c.elem != "" && c.equals && !c.not {
				list := strings.TrimSuffix(c.elem, each)
				add(fmt.Sprintf("of several elements of %s with one %s, the function takes the first", m.path(list), strings.TrimPrefix(c.rest, ".")),
					func(s *sample, _ []string) bool { return twice(s.obj, list, c.rest) })
			}
		}
		for _, p := range paths {
			if i, ok := l.index[p]; ok && l.spots[i].class == text {
				add(fmt.Sprintf("an empty %s counts as absent", p), func(s *sample, _ []string) bool {
					return slices.ContainsFunc(values(s.obj, p), func(v reflect.Value) bool { return v.Len() == 0 })
				})
			}
		}
	}
	return out
}

// twice reports whether two elements of a list have one value at a path.
func twice(obj reflect.Value, list, path string) (twice bool) {
	for _, v := range values(obj, list) {
		seen := map[string]bool{"": true}
		for _, e := range elements(v) {
			state := stateAt(e, path)
			twice = twice || state != "" && seen[state]
			seen[state] = true
		}
	}
	return twice
}

// rows returns objects for a test: for each template one with its keys, those that differ from it in one field, and
// some with lists of several elements.
func (l *learner) rows(markers []*marker) (out []Row) {
	seen := map[string]bool{}
	add := func(s *sample) {
		var got []string
		for _, m := range markers {
			got = append(got, m.keys(s).keys...)
		}
		slices.Sort(got)
		text, err := json.Marshal(s.obj.Addr().Interface())
		if err == nil && s.panicked == "" && !seen[string(text)] && slices.Equal(s.keys, slices.Compact(got)) {
			seen[string(text)] = true
			out = append(out, Row{text, s.keys})
		}
	}
	for n, t := range l.found {
		for i, s := range l.spots {
			for state := 0; t.asked[i] && state < min(len(s.states), 5) && len(out) < 40*(n+1)/len(l.found); state++ {
				add(l.changed(t.example(), i, s.states[state]))
			}
		}
	}
	for i, n := 0, len(out)+12; i < len(l.others) && len(out) < n; i++ {
		if s := l.others[i]; len(s.keys) > 1 || i%100 == 0 {
			add(s)
		}
	}
	return out
}

// shortest returns the sample with the shortest text.
func shortest(samples []*sample) (out *sample, text string) {
	for _, s := range samples[:min(len(samples), 400)] {
		if short := shown(s.obj); out == nil || len(short) < len(text) {
			out, text = s, short
		}
	}
	return out, text
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
