// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package learn

import (
	"cmp"
	"fmt"
	"slices"
)

// markersPerAlternative returns a marker for each combination of conditions for which the function returns the template.
func (t *keyTemplate) markersPerAlternative() (out []*marker, err error) {
	t.classifySingleElementSamples()
	var found [][]condition
	known := func(s *sample, found [][]condition) bool {
		return slices.ContainsFunc(found, func(conds []condition) bool { return allConditionsHold(conds, s) })
	}
	for n := 0; n < len(t.returningSamples); n++ { // which grows
		s := t.returningSamples[n]
		if known(s, found) {
			continue
		}
		for i, field := range t.learner.mentionedFields { // other alternatives may hold in s, too
			for _, state := range field.candidateStates {
				t.classifySample(t.learner.sampleWithState(s, i, state))
			}
		}
		if found = append(found, t.requiredConditions(s)); len(found) > maxAlternatives {
			return nil, fmt.Errorf("more than %d combinations of conditions", len(found)-1)
		}
	}
	for i := range slices.Backward(found) { // a later one may hold for all that an earlier one holds for
		rest := slices.Delete(slices.Clone(found), i, i+1)
		if !slices.ContainsFunc(t.returningSamples, func(s *sample) bool { return !known(s, rest) }) {
			found = rest
		}
	}
	for _, conds := range found {
		out = append(out, t.markerWithConditions(conds))
	}
	slices.SortStableFunc(out, func(a, b *marker) int { return cmp.Compare(a.unnamedMarkerText(), b.unnamedMarkerText()) })
	return out, nil
}

// requiredConditions returns the conditions that must hold for the template to be returned, as far as they hold for s.
func (t *keyTemplate) requiredConditions(s *sample) (conds []condition) {
	for n := 0; n < conditionRounds && (n == 0 || t.tryToRefute(conds, s)); n++ {
		conds = t.learner.conditionsTrueFor(s)
		for _, c := range slices.Clone(conds) {
			rest := slices.DeleteFunc(slices.Clone(conds), func(o condition) bool { return o == c })
			if !slices.ContainsFunc(t.refutingSamples, func(s *sample) bool { return allConditionsHold(rest, s) }) {
				conds = rest
			}
		}
	}
	return conds
}

// tryToRefute tries random samples with some conditions, and reports whether the function does not return the template for
// one of them.
func (t *keyTemplate) tryToRefute(conds []condition, like *sample) bool {
	for range samplesPerConditionRound {
		s, before := t.learner.addSingleElementSample(t.learner.randomStateChooser(like)), len(t.refutingSamples)
		if allConditionsHold(conds, s) {
			if t.classifySample(s); len(t.refutingSamples) > before {
				return true
			}
		}
	}
	return false
}

// markerWithConditions returns the marker with conditions.
func (t *keyTemplate) markerWithConditions(conds []condition) *marker {
	return t.bareMarker.copyWith(func(m *marker) {
		m.conditions = conds
		for _, c := range conds {
			if len(m.keyPaths) == 0 && c.isComparison && !c.isNegated && c.literal == m.keyLiterals[0] {
				m.keyPaths, m.keyLiterals = []string{c.field.path}, []string{"", ""} // the key is the value that is compared
			}
		}
	})
}
