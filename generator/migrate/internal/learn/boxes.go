// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package learn

import (
	"cmp"
	"errors"
	"slices"
)

// markers returns markers: one for each combination of conditions for which the function returns the template.
func (t *template) markers() (out []*marker, err error) {
	t.sorted()
	var found [][]condition
	known := func(s *sample) bool {
		return slices.ContainsFunc(found, func(conds []condition) bool { return all(conds, s) })
	}
	for seeds := slices.Clone(t.yes[:min(len(t.yes), 300)]); len(seeds) > 0; seeds = seeds[1:] {
		s := seeds[0]
		if known(s) {
			continue
		}
		var near []*sample // other alternatives may hold in s, too
		for i := range t.spots {
			for _, state := range t.spots[i].states {
				if c := t.changed(s, i, state); t.add(c) {
					near = append(near, c)
				}
			}
		}
		if found = append(found, t.box(s)); len(found) > 30 {
			return nil, errors.New("more combinations of fields than the command tries")
		}
		seeds = append(seeds, near...)
	}
	for _, conds := range found {
		out = append(out, t.marker(conds))
	}
	slices.SortStableFunc(out, func(a, b *marker) int { return cmp.Compare(a.Text(), b.Text()) })
	return out, nil
}

// box returns the conditions that must hold for the template to be returned, as far as they hold for s.
func (t *template) box(s *sample) (conds []condition) {
	for n := 0; n < 50 && (n == 0 || t.refuted(conds, s)); n++ {
		conds = t.facts(s)
		for _, c := range slices.Clone(conds) {
			rest := slices.DeleteFunc(slices.Clone(conds), func(o condition) bool { return o == c })
			if !slices.ContainsFunc(t.no, func(s *sample) bool { return all(rest, s) }) {
				conds = rest
			}
		}
	}
	return conds
}

// refuted tries random samples with some conditions, and reports whether the function does not return the template for
// one of them.
func (t *template) refuted(conds []condition, like *sample) bool {
	for range 150 {
		states := t.random(like, false)
		for _, c := range conds {
			if s := t.sample(states); !c.holds(s.states[c.spot]) {
				for i := range t.spots[:c.spot+1] {
					if i == c.spot || above(t.spots[i].path, c.path) {
						states[i] = like.states[i]
					}
				}
			}
		}
		if s, before := t.sample(states), len(t.no); all(conds, s) {
			if t.add(s); len(t.no) > before {
				return true
			}
		}
	}
	return false
}

// marker returns a marker with conditions.
func (t *template) marker(conds []condition) *marker {
	m := &marker{typ: t.typ, text: t.text}
	for _, i := range t.places {
		m.places = append(m.places, t.spots[i].path)
	}
	for _, c := range conds {
		t.asked[c.spot] = true
		switch {
		case len(t.places) == 1 && c.spot == t.places[0] && (!c.equals || c.not && c.class == number && c.literal == "0"):
			m.omit = true
		case len(m.places) == 0 && c.equals && !c.not && c.literal == m.text[0]:
			m.places, m.text = []string{c.path}, []string{"", ""} // the key is the value that is compared
			fallthrough
		default:
			m.conds = append(m.conds, c)
		}
	}
	return m
}
