// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package learn

import (
	"cmp"
	"fmt"
	"slices"
)

// markers returns markers: one for each combination of conditions for which the function returns the template.
func (t *template) markers() (out []*marker, err error) {
	t.sort()
	var found [][]condition
	known := func(s *sample, found [][]condition) bool {
		return slices.ContainsFunc(found, func(conds []condition) bool { return all(conds, s) })
	}
	for n := 0; n < len(t.yes); n++ { // which grows
		s := t.yes[n]
		if known(s, found) {
			continue
		}
		for i, spot := range t.learner.spots { // other alternatives may hold in s, too
			for _, state := range spot.states {
				t.add(t.learner.changed(s, i, state))
			}
		}
		if found = append(found, t.box(s)); len(found) > mostBoxes {
			return nil, fmt.Errorf("more than %d combinations of conditions", len(found)-1)
		}
	}
	for i := range slices.Backward(found) { // a later one may hold for all that an earlier one holds for
		rest := slices.Delete(slices.Clone(found), i, i+1)
		if !slices.ContainsFunc(t.yes, func(s *sample) bool { return !known(s, rest) }) {
			found = rest
		}
	}
	for _, conds := range found {
		out = append(out, t.conditioned(conds))
	}
	slices.SortStableFunc(out, func(a, b *marker) int { return cmp.Compare(a.Text(), b.Text()) })
	return out, nil
}

// box returns the conditions that must hold for the template to be returned, as far as they hold for s.
func (t *template) box(s *sample) (conds []condition) {
	for n := 0; n < boxRounds && (n == 0 || t.refuted(conds, s)); n++ {
		conds = t.learner.facts(s)
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
	for range refutingSamples {
		s, before := t.learner.sample(t.learner.random(like)), len(t.no)
		if all(conds, s) {
			if t.add(s); len(t.no) > before {
				return true
			}
		}
	}
	return false
}

// conditioned returns the marker with conditions.
func (t *template) conditioned(conds []condition) *marker {
	return t.bareMarker.with(func(m *marker) {
		m.conds = conds
		for _, c := range conds {
			if len(m.places) == 0 && c.equals && !c.not && c.literal == m.text[0] {
				m.places, m.text = []string{c.spot.path}, []string{"", ""} // the key is the value that is compared
			}
		}
	})
}
