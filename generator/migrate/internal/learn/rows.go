// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package learn

import (
	"fmt"
	"slices"
	"strings"
)

// testRows returns objects for a test: for each way in which an index could be wrong the shortest that shows it, abridged.
func (l *learner) testRows(markers []*marker) (out []Row) {
	agrees := func(s *sample) bool {
		return s.panicOrErrorText == "" && (len(markers) == 0 || slices.Equal(s.sortedKeys, markerKeys(markers, s)))
	}
	samples := slices.Concat(l.singleElementSamples, l.comparedTextSamples, l.randomSamples)
	samples = slices.DeleteFunc(samples, func(s *sample) bool { return s.includesUnmentioned || !agrees(s) })
	slices.SortStableFunc(samples, func(a, b *sample) int { return len(a.objectJSON) - len(b.objectJSON) })
	var chosen []*sample
	for _, wrong := range wrongIndexes(markers) {
		shows := func(s *sample) bool { return !slices.Equal(wrong(s), s.sortedKeys) }
		if slices.ContainsFunc(chosen, shows) {
			continue
		}
		for _, shows := range []func(*sample) bool{func(s *sample) bool {
			return shows(s) && !slices.ContainsFunc(slices.Concat(wrong(s), s.sortedKeys), hasEmptyLastPart) &&
				!slices.ContainsFunc(markers, func(m *marker) bool { return m.resultFor(s).hasEmptyPart })
		}, shows} {
			if i := slices.IndexFunc(samples, shows); i >= 0 {
				chosen = append(chosen, l.abridgedSample(samples[i], func(s *sample) bool { return agrees(s) && shows(s) }))
				break
			}
		}
	}
	for i, s := range chosen {
		same := func(o *sample) bool { return string(o.objectJSON) == string(s.objectJSON) }
		if !slices.ContainsFunc(chosen[:i], same) {
			out = append(out, Row{s.objectJSON, s.sortedKeys})
		}
	}
	return out
}

// wrongIndexes returns functions that differ from the index in one way each.
func wrongIndexes(markers []*marker) (out []func(*sample) []string) {
	add := func(differs func(*sample) bool, keys ...string) {
		out = append(out, func(s *sample) []string {
			if differs(s) {
				return keys
			}
			return s.sortedKeys
		})
	}
	add(func(s *sample) bool { return len(s.sortedKeys) == 1 })
	add(func(s *sample) bool { return len(s.sortedKeys) > 1 })
	add(func(s *sample) bool { return len(s.sortedKeys) == 0 }, "a key")
	for i, m := range markers {
		with := func(change func(*marker)) {
			list := slices.Clone(markers)
			list[i] = m.copyWith(change)
			out = append(out, func(s *sample) []string { return markerKeys(list, s) })
		}
		add(func(s *sample) bool { r := m.resultFor(s); return len(r.keys) > 0 && !r.usedDefault })
		for n := range m.conditions {
			with(func(m *marker) { m.conditions = slices.Delete(slices.Clone(m.conditions), n, n+1) })
		}
		with(func(m *marker) { m.elsePathOrLiteral = "" })
		if m.isReference() {
			with(func(m *marker) { m.refNamespacePath = objectNamespacePath })
			add(func(s *sample) bool {
				return slices.Contains(s.statesInFillOrder, [2]string{m.refNamespacePath, stateAbsent})
			})
		}
	}
	return out
}

// abridgedSample returns a sample with fewer fields and elements, and with short texts, that still shows something.
func (l *learner) abridgedSample(s *sample, shows func(*sample) bool) *sample {
	for _, c := range slices.Backward(s.statesInFillOrder) {
		states := []string{stateAbsent}
		if strings.HasSuffix(c[0], elementCountSuffix) {
			states = []string{"=1", "=2"}
		} else if strings.HasSuffix(c[0], entryKeySuffix) || c[1] == stateAbsent {
			continue
		}
		for _, state := range states {
			shorter := l.replayedSample(s, func(field *fieldPath, old string, _ int) string {
				if field.path == c[0] {
					return state
				}
				return old
			})
			if len(shorter.objectJSON) < len(s.objectJSON) && shows(shorter) {
				s = shorter
				break
			}
		}
	}
	n := 0
	named := l.replayedSample(s, func(field *fieldPath, state string, _ int) string {
		isText := field.jsonClass == textClass && state != stateAbsent && state != stateEmpty
		if !uniqueTexts.MatchString(state) && !(isText && !slices.Contains(field.candidateStates, state)) {
			return state
		} else if n++; field.jsonClass == numberClass {
			return fmt.Sprint("=", n)
		}
		return fmt.Sprintf("=%c", 'a'+(n-1)%26)
	})
	if shows(named) {
		return named
	}
	return s
}

// inOrderOfKeys returns markers in the order in which the function returns their keys, if that is always the same.
func (l *learner) inOrderOfKeys(markers []*marker) (out []*marker) {
	precedes := func(a, b *marker) bool {
		n := 0
		for _, s := range l.singleElementSamples {
			first, second := a.resultFor(s).keys, b.resultFor(s).keys
			if len(first) == 0 || len(second) == 0 || first[0] == second[0] {
				continue
			} else if slices.Index(s.returnedKeys, first[0]) > slices.Index(s.returnedKeys, second[0]) {
				return false
			} else if n++; n > 20 {
				return true
			}
		}
		return n > 0
	}
	for len(markers) > 0 {
		isFirst := func(b *marker) bool {
			return !slices.ContainsFunc(markers, func(a *marker) bool { return a != b && precedes(a, b) })
		}
		i := max(0, slices.IndexFunc(markers, isFirst))
		out, markers = append(out, markers[i]), slices.Delete(slices.Clone(markers), i, i+1)
	}
	return out
}
