// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package learn

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// markers returns markers for a template: one for each combination of conditions. They have no references and
// defaults yet.
func (l *learner) markers(t *template) (out []*marker, err error) {
	if slices.Contains(t.places, -1) {
		return nil, fmt.Errorf("a key that is the key of a map")
	}
	l.example(t)
	boxes, err := l.boxes(t)
	if err != nil {
		return nil, err
	}
	for _, b := range boxes {
		of := []*marker{{typ: l.typ, text: t.text, where: map[string][]condition{}}}
		for _, i := range t.places {
			of[0].places = append(of[0].places, l.spots[i].path)
		}
		// Lower spots come first: their conditions may imply that those above are there.
		for _, i := range slices.Backward(slices.Sorted(maps.Keys(b))) {
			var next []*marker
			for _, m := range of {
				next = append(next, l.conditioned(m, i, b[i].in, b[i].free)...)
			}
			of = next
		}
		for _, m := range of {
			l.ends(m, t, b)
			m.scope()
		}
		out = append(out, of...)
	}
	return out, nil
}

func (m *marker) clone() *marker {
	out := *m
	out.where = map[string][]condition{}
	for elem, conds := range m.where {
		out.where[elem] = slices.Clone(conds)
	}
	return &out
}

func (m *marker) add(conds ...condition) {
	for _, c := range conds {
		elem, _ := listOf(c.path)
		m.where[elem] = append(m.where[elem], c)
	}
}

// conditioned returns markers with the conditions that a spot is in some states. An empty string may count as absent.
func (l *learner) conditioned(m *marker, i int, in, free states) (out []*marker) {
	s := l.spots[i]
	if value, ok := strings.CutPrefix(s.only(in), "="); ok && len(m.places) == 0 && m.text[0] == value && s.class == text {
		m.places, m.text = []string{s.path}, []string{"", ""} // the key is the value that is compared
	}
	if in == s.all()&^s.missing() && m.implies(s.path) {
		return []*marker{m}
	}
	for _, piece := range s.pieces(in, free) {
		m := m.clone()
		conds, ok := s.condition(piece, free)
		gone, empty := s.one(absent), s.one(zero)
		if !ok && !s.own && s.parent >= 0 && piece&gone == 0 { // what is above is there
			conds, ok = s.condition(piece, free|gone)
		}
		if !ok && s.class == text && gone != 0 {
			conds, ok = s.condition(piece&^empty, free|empty)
		}
		if !ok {
			m.bad = fmt.Sprintf("a condition on %s that markers do not have", s.path)
		}
		m.add(conds...)
		out = append(out, m)
	}
	return out
}

// implies reports whether the conditions below a path imply that it is there.
func (m *marker) implies(path string) bool {
	for _, conds := range m.where {
		for _, c := range conds {
			if rest, ok := strings.CutPrefix(c.path, path); ok && rest != "" && strings.Contains(".[", rest[:1]) && !c.of(absent) {
				return true
			}
		}
	}
	return false
}

// only returns the state of a set with one, or "".
func (s *spot) only(in states) string {
	for i, state := range s.states {
		if in == 1<<i {
			return state
		}
	}
	return ""
}

// ends adds conditions on the values in the key: those for which the function returns no key.
func (l *learner) ends(m *marker, t *template, b box) {
	n := slices.IndexFunc(t.positive, b.has)
	if n < 0 {
		return
	}
	for _, i := range t.places {
		s, allowed := l.spots[i], states(0)
		for state := range s.states {
			a := slices.Clone(t.positive[n])
			a[i] = byte(state)
			key, ok := l.rendered(t, a)
			if !ok || slices.Contains(l.run(a), key) {
				allowed |= 1 << state
			}
		}
		for state, text := range s.states {
			switch {
			case allowed.has(state):
			case text == zero && len(t.places) == 1:
				m.omit = true
			case text == zero && s.path != ".metadata.namespace":
				m.add(condition{path: s.path, class: s.class})
			case strings.HasPrefix(text, "="):
				m.add(condition{path: s.path, class: s.class, equals: true, not: true, literal: text[1:]})
			}
		}
	}
}

// scope notes conditions that are on no element of the key.
func (m *marker) scope() {
	own := loops(m.places...)
	for elem, conds := range m.where {
		for _, c := range conds {
			if elem == "" || m.bad != "" {
				continue
			} else if !slices.Contains(own, elem) {
				m.bad = fmt.Sprintf("a condition on some element of %s that the key does not come from", strings.TrimSuffix(elem, each))
			} else if c.path == elem {
				m.bad = fmt.Sprintf("a condition on the elements of %s themselves", strings.TrimSuffix(elem, each))
			}
		}
	}
}

// without returns the marker without conditions on some paths.
func (m *marker) without(drop func(condition) bool) *marker {
	m = m.clone()
	for elem := range m.where {
		if m.where[elem] = slices.DeleteFunc(m.where[elem], drop); len(m.where[elem]) == 0 {
			delete(m.where, elem)
		}
	}
	m.bad = ""
	m.scope()
	return m
}

// same reports whether two markers have the same conditions.
func (m *marker) same(o *marker) bool {
	for _, elem := range append(slices.Collect(maps.Keys(m.where)), slices.Collect(maps.Keys(o.where))...) {
		if m.texts(elem, ",") != o.texts(elem, ",") {
			return false
		}
	}
	return m.omit == o.omit || m.ref
}

// booleans returns markers in which the constants "true" and "false" are the text of a boolean, without a default and
// with each. It returns none if there is no such constant.
func booleans(all []*marker) (out [][]*marker) {
	var rest, of []*marker
	for _, m := range all {
		path := ""
		for _, conds := range m.where {
			for _, c := range conds {
				if c.class == boolean && len(m.places) == 0 && (m.text[0] == "true" || m.text[0] == "false") {
					path = c.path
				}
			}
		}
		if path == "" {
			rest = append(rest, m)
			continue
		}
		m = m.without(func(c condition) bool { return c.path == path })
		m.places, m.text = []string{path}, []string{"", ""}
		if !slices.ContainsFunc(of, func(o *marker) bool { return o.String() == m.String() }) {
			of = append(of, m)
		}
	}
	for _, otherwise := range []string{"", "false", "true"} {
		try := slices.Clone(rest)
		for _, m := range of {
			m = m.clone()
			m.otherwise, m.bad = otherwise, ""
			m.scope()
			try = append(try, m)
		}
		if of != nil {
			out = append(out, try)
		}
	}
	return out
}

// withDefault returns markers in which those of one template are the default of those of another, or nil.
func withDefault(first, second, rest []*marker, all bool) (out []*marker) {
	other := second[0]
	for _, m := range first {
		m = m.clone()
		switch n := len(m.text) - 1; {
		case len(m.places) != 1 || len(other.places) > 1 || m.ref != other.ref:
			return nil
		case len(other.places) == 1 && !slices.Equal(m.text, other.text):
			return nil
		case len(other.places) == 1:
			m.otherwise = other.places[0]
		default:
			value, ok := strings.CutPrefix(other.text[0], m.text[0])
			if m.otherwise = strings.TrimSuffix(value, m.text[n]); !ok || value == "" || isPath(m.otherwise) {
				return nil
			}
		}
		if all { // the default has conditions that the value does not need
			for _, c := range other.where[""] {
				if c.path != m.places[0] {
					m.add(c)
				}
			}
		}
		m.omit = false
		out = append(out, m)
	}
	return append(out, rest...)
}
