// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package learn

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// add notes whether the function returns the template for an assignment.
func (t *template) add(a assignment) {
	switch yes, known := t.yields(a); {
	case yes:
		t.yes = append(t.yes, a)
	case known:
		t.no = append(t.no, a)
	}
}

// markers returns markers: one for each combination of conditions. They have no references and defaults yet.
func (t *template) markers() (out []*marker, err error) {
	t.yes, t.no = nil, nil
	for _, a := range t.pool {
		t.add(a)
	}
	seeds := slices.Clone(t.yes[:min(len(t.yes), 300)])
	var found [][]fact
	known := func(a assignment) bool {
		return slices.ContainsFunc(found, func(conds []fact) bool { return all(conds, a) })
	}
	for len(seeds) > 0 {
		a := seeds[0]
		if seeds = seeds[1:]; known(a) {
			continue
		}
		if found = append(found, t.general(a)); len(found) > 30 {
			return nil, errors.New("more combinations of fields than the command tries")
		}
		for _, c := range t.neighbors(a) { // other alternatives may hold in a, too
			if yes, _ := t.yields(c); yes && !known(c) {
				seeds = append(seeds, c)
			}
		}
	}
	for i := len(found) - 1; i >= 0; i-- { // others may have what is in it
		rest := slices.Delete(slices.Clone(found), i, i+1)
		if !slices.ContainsFunc(t.yes, func(a assignment) bool {
			return all(found[i], a) && !slices.ContainsFunc(rest, func(conds []fact) bool { return all(conds, a) })
		}) {
			found = rest
		}
	}
	for _, conds := range found {
		out = append(out, t.marker(conds))
	}
	return out, nil
}

// general returns the conditions that must hold for the template to be returned, as far as they hold for a.
func (t *template) general(a assignment) (conds []fact) {
	for _, c := range t.neighbors(a) {
		t.add(c)
	}
	for n := 0; n < 50 && (n == 0 || t.refuted(conds, a)); n++ {
		conds = t.facts(a)
		drop := func(of func(fact) bool) {
			if rest := slices.DeleteFunc(slices.Clone(conds), of); !slices.ContainsFunc(t.no, func(a assignment) bool { return all(rest, a) }) {
				conds = rest
			}
		}
		for i := range slices.Backward(t.spots) { // lower ones imply that those above are there
			drop(func(c fact) bool { return c.spot == i })
			for _, tried := range conds {
				if tried.spot == i {
					drop(func(c fact) bool { return c.spot == i && c.condition == tried.condition })
				}
			}
		}
	}
	return conds
}

// neighbors returns the assignments in which one spot is in another state, and the values in the key are as in a.
func (t *template) neighbors(a assignment) (out []assignment) {
	for i, s := range t.spots {
		for state := range s.states {
			if c := t.changed(a, i, state); c != nil {
				out = append(out, c)
			}
		}
	}
	return out
}

// refuted tries random assignments with some conditions, and reports whether the function does not return the template
// for one of them.
func (t *template) refuted(conds []fact, like assignment) bool {
	for n := 0; n < 150; n++ {
		a := t.sample(like, false)
		for _, c := range conds {
			state := t.rand.IntN(len(t.spots[c.spot].states))
			if a := t.changed(a, c.spot, state); a == nil || !c.has(a) {
				state = int(like[c.spot])
			}
			if changed := t.changed(a, c.spot, state); changed != nil {
				a = changed
			}
		}
		if before := len(t.no); all(conds, a) {
			if t.add(a); len(t.no) > before {
				return true
			}
		}
	}
	return false
}

// marker returns a marker with conditions.
func (t *template) marker(conds []fact) *marker {
	m := &marker{typ: t.typ, text: t.text, where: map[string][]condition{}}
	for _, i := range t.places {
		m.places = append(m.places, t.spots[i].path)
	}
	for _, c := range conds {
		t.asked[c.spot] = true
		switch {
		case len(t.places) == 1 && c.spot == t.places[0] && (!c.equals || c.not && c.literal == map[class]string{number: "0"}[c.class]):
			m.omit = true
		case len(m.places) == 0 && c.equals && !c.not && c.literal == m.text[0]:
			m.places, m.text = []string{c.path}, []string{"", ""} // the key is the value that is compared
			fallthrough
		default:
			m.add(c.condition)
		}
	}
	m.scope()
	return m
}

func (m *marker) add(conds ...condition) {
	for _, c := range conds {
		elem, _ := listOf(c.path)
		m.where[elem] = append(m.where[elem], c)
	}
}

// conditions returns all conditions, in order.
func (m *marker) conditions() (out []condition) {
	for _, elem := range slices.Sorted(maps.Keys(m.where)) {
		out = append(out, m.where[elem]...)
	}
	return out
}

// scope notes conditions that are on no element of the key.
func (m *marker) scope() {
	own := loops(m.places...)
	for _, c := range m.conditions() {
		switch elem, _ := listOf(c.path); {
		case m.bad != "":
		case c.equals && c.literal == "" && strings.HasSuffix(c.path, "']"):
			m.bad = "a condition on an empty entry of a map"
		case elem != "" && !slices.Contains(own, elem):
			m.bad = fmt.Sprintf("a condition on some element of %s that the key does not come from", strings.TrimSuffix(elem, each))
		case elem != "" && c.path == elem:
			m.bad = fmt.Sprintf("a condition on the elements of %s themselves", strings.TrimSuffix(elem, each))
		}
	}
}

// without returns the marker without some conditions.
func (m *marker) without(drop func(condition) bool) *marker {
	out := *m
	out.where, out.bad = map[string][]condition{}, ""
	out.add(slices.DeleteFunc(m.conditions(), drop)...)
	out.scope()
	return &out
}

// same reports whether two markers have the same conditions.
func (m *marker) same(o *marker) bool {
	return fmt.Sprint(m.conditions()) == fmt.Sprint(o.conditions()) && (m.omit == o.omit || m.ref)
}

// unconditioned returns markers without the conditions on the values in their keys.
func unconditioned(all []*marker) (out []*marker) {
	for _, m := range all {
		m = m.without(func(c condition) bool { return len(m.places) == 1 && m.places[0] == c.path })
		if !slices.ContainsFunc(out, func(o *marker) bool { return o.String() == m.String() }) {
			out = append(out, m)
		}
	}
	return out
}

// withDefault returns markers in which those of one template are the default of those of another, or nil.
func withDefault(first, second, rest []*marker, all bool) (out []*marker) {
	other := second[0]
	for _, m := range first {
		m = m.without(func(condition) bool { return false })
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
