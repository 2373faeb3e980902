// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package learn

import (
	"bytes"
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
)

// A markerDifference tells how keys of markers differ from those of the function.
type markerDifference struct {
	sampleByCause      map[differenceCause]*sample // with the shortest sample that differs for this cause
	unexplainedSamples []*sample                   // which differ for another cause
	panickedSamples    []*sample
	unexercisedMarker  *marker // no sample is indexed by it
}

// A differenceCause is a path whose texts are unusual in some objects. Function and markers may differ for these.
type differenceCause struct {
	path       string
	noteFormat causeNoteFormat
}

type causeNoteFormat string

const (
	emptyKeyPart  causeNoteFormat = "if %s is empty or absent" // and the function returns that as a key
	emptyText     causeNoteFormat = "if %s is empty"
	equalElements causeNoteFormat = "if %s has several such elements"
	slashInName   causeNoteFormat = "" // for names of other objects: no cluster has such
)

// appliesToState reports whether a state is what the cause is about. seenBefore has paths and states of other elements.
func (c differenceCause) appliesToState(state string, seenBefore map[string]bool) bool {
	switch c.noteFormat {
	case equalElements:
		return state != stateAbsent && seenBefore[c.path+state]
	case slashInName:
		return strings.Contains(state, "/")
	}
	return state == stateEmpty || state == stateAbsent && c.noteFormat == emptyKeyPart
}

// possibleCauses returns the differences that markers may have. Of several that explain a sample the last one counts:
// text of a condition that is not empty may only hide what another one causes.
func (l *learner) possibleCauses(markers []*marker) (out []differenceCause) {
	add := func(k causeNoteFormat, paths ...string) {
		for _, p := range paths {
			c, s := differenceCause{p, k}, l.fieldByPath[p]
			if s != nil && (s.jsonClass == textClass || s.jsonClass == listClass && k == emptyText || k == equalElements) && !slices.Contains(out, c) {
				out = append(out, c)
			}
		}
	}
	for _, m := range markers {
		for _, c := range m.conditions {
			if (c.field.canBeAbsent || c.acceptedStates != nil) && c.field.path != m.elsePathOrLiteral && !slices.Contains(m.keyPaths, c.field.path) {
				add(emptyText, c.field.path)
			}
			if c.elementPath != "" && c.isComparison && !c.isNegated {
				add(equalElements, c.field.path)
			}
		}
	}
	for _, m := range markers {
		add(emptyText, m.refNamespacePath)
		add(emptyKeyPart, append(m.keyPaths, m.elsePathOrLiteral)...)
		if m.isReference() {
			add(slashInName, m.keyPaths[0])
		}
	}
	add(emptyText, objectNamespacePath)
	return out
}

// normalizedSample returns a sample with other texts in place of unusual ones.
func (l *learner) normalizedSample(s *sample, causes []differenceCause) *sample {
	id := fmt.Sprint(causes)
	if s.normalizedByCauses[id] == nil {
		seen := map[string]bool{}
		s.normalizedByCauses[id] = l.replayedSample(s, func(sp *fieldPath, state string, left int) string {
			for _, c := range causes {
				if c.path == sp.path && c.appliesToState(state, seen) {
					return map[jsonClass]string{textClass: fmt.Sprintf("=x%d", left)}[sp.jsonClass] // or absent, false, or 0
				} else if (state == stateEmpty || state == stateAbsent) && strings.HasPrefix(c.path, sp.path+"['") || state == stateAbsent && isAncestorPath(sp.path, c.path) && c.noteFormat == emptyKeyPart {
					return statePresent // what the value is in
				}
			}
			seen[sp.path+state] = true
			return state
		})
	}
	return s.normalizedByCauses[id]
}

// noteExplainingCauses notes the causes for which markers and function differ for a sample, each with the sample that
// is unusual for it alone. It reports whether there are any.
func (d *markerDifference) noteExplainingCauses(l *learner, markers []*marker, s *sample, possible []differenceCause) bool {
	keyed := slices.ContainsFunc(s.sortedKeys, hasEmptyLastPart)
	causes := slices.DeleteFunc(slices.Clone(possible), func(c differenceCause) bool { return c.noteFormat == emptyKeyPart && !keyed })
	if !sameKeysWithoutPanic(markers, l.normalizedSample(s, causes)) {
		return false
	}
	without := func(c differenceCause) *sample {
		return l.normalizedSample(s, slices.DeleteFunc(slices.Clone(causes), func(o differenceCause) bool { return o == c }))
	}
	for _, c := range slices.Clone(causes) {
		if sameKeysWithoutPanic(markers, without(c)) {
			causes = slices.DeleteFunc(slices.Clone(causes), func(o differenceCause) bool { return o == c })
		}
	}
	for _, c := range causes {
		alone := without(c)
		isOther := func(key string) bool { return !slices.Contains(alone.sortedKeys, key) }
		if c.noteFormat == emptyKeyPart && slices.ContainsFunc(markerKeys(markers, alone), isOther) && !sameKeysWithoutPanic(markers, l.normalizedSample(alone, []differenceCause{{c.path, emptyText}})) {
			// Without the field, as is usual, the keys differ, too, so it is not the cause.
			possible = slices.DeleteFunc(slices.Clone(possible), func(o differenceCause) bool { return o == c })
			return d.noteExplainingCauses(l, markers, s, possible)
		}
	}
	for _, c := range causes {
		alone, known := without(c), d.sampleByCause[c]
		if known == nil || len(alone.objectJSON) < len(known.objectJSON) {
			d.sampleByCause[c] = alone
		}
	}
	return true
}

// markerKeys returns the keys of all markers, sorted.
func markerKeys(markers []*marker, s *sample) (out []string) {
	for _, m := range markers {
		out = append(out, m.resultFor(s).keys...)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func sameKeysWithoutPanic(markers []*marker, s *sample) bool {
	return s.panicOrErrorText == "" && slices.Equal(markerKeys(markers, s), s.sortedKeys)
}

// compareWithFunction compares markers with the function. It ends when more samples differ than may.
func (l *learner) compareWithFunction(markers []*marker, maxUnexplained int) markerDifference {
	out := markerDifference{sampleByCause: map[differenceCause]*sample{}}
	causes := l.possibleCauses(markers)
	keyed, defaulted := map[*marker]bool{}, map[*marker]bool{}
	for _, s := range slices.Concat(l.randomSamples, l.comparedTextSamples, l.singleElementSamples) {
		if slices.Equal(markerKeys(markers, s), s.sortedKeys) {
			for _, m := range markers {
				made := m.resultFor(s)
				keyed[m] = keyed[m] || len(made.keys) > 0 && !made.usedDefault
				defaulted[m] = defaulted[m] || made.usedDefault || m.elsePathOrLiteral == ""
			}
			continue
		} else if s.panicOrErrorText != "" {
			out.panickedSamples = append(out.panickedSamples, s)
			continue
		}
		if out.noteExplainingCauses(l, markers, s, causes) {
			continue
		} else if out.unexplainedSamples = append(out.unexplainedSamples, s); len(out.unexplainedSamples) > maxUnexplained {
			return out
		}
	}
	for _, m := range markers {
		if !keyed[m] || !defaulted[m] {
			out.unexercisedMarker = m
		}
	}
	return out
}

// shortenMarkers rewrites markers as long as they become shorter and no worse.
func (l *learner) shortenMarkers(markers []*marker) ([]*marker, markerDifference) {
	now := l.compareWithFunction(markers, math.MaxInt)
	for again := true; again; {
		again = false
		for _, r := range possibleRewrites(markers) {
			if len(markersPhrase(r.markers)) >= len(markersPhrase(markers)) {
				continue
			}
			next := l.compareWithFunction(r.markers, len(now.unexplainedSamples))
			if len(next.unexplainedSamples) <= len(now.unexplainedSamples) && next.unexercisedMarker == nil && (r.mayAddNotes || len(next.sampleByCause) <= len(now.sampleByCause)) {
				markers, now, again = r.markers, next, true
				break
			}
		}
	}
	return markers, now
}

// differenceNotes returns notes that tell how markers differ, or why they do not replace the function.
func (d markerDifference) differenceNotes(l *learner, markers []*marker) (notes []string, refusal string) {
	hasWholeKeys := func(s *sample) bool {
		return !slices.ContainsFunc(slices.Concat(s.sortedKeys, markerKeys(markers, s)), hasEmptyLastPart)
	}
	both := func(ours string, s *sample, shows func(*sample) bool) string {
		hadWholeKeys := hasWholeKeys(s)
		s = l.abridgedSample(s, func(s *sample) bool {
			return !s.decodeFailed && !sameKeysWithoutPanic(markers, s) && shows(s) && (hasWholeKeys(s) || !hadWholeKeys)
		})
		theirs := fmt.Sprintf("returns %q", s.sortedKeys)
		if s.panicOrErrorText != "" {
			theirs = "panics: " + s.panicOrErrorText
		}
		return fmt.Sprintf("for %s the function %s, and %s %q", s.objectJSON, theirs, ours, markerKeys(markers, s))
	}
	refer := slices.ContainsFunc(markers, (*marker).isReference)
	for _, format := range []causeNoteFormat{emptyKeyPart, emptyText, equalElements} {
		var causes []differenceCause
		for c := range d.sampleByCause {
			if c.noteFormat == format && !(refer && c.path == objectNamespacePath) {
				causes = append(causes, c)
			}
		}
		if len(causes) == 0 {
			continue
		}
		slices.SortFunc(causes, func(a, b differenceCause) int { return strings.Compare(a.path, b.path) })
		var paths []string
		for _, c := range causes {
			if elementPath, _ := splitAtElement(c.path); format == equalElements {
				c.path = strings.TrimSuffix(elementPath, elementStep)
			}
			paths = append(paths, c.path)
		}
		paths = slices.Compact(paths)
		isAlone := func(s *sample) bool { return sameKeysWithoutPanic(markers, l.normalizedSample(s, causes[:1])) }
		notes = append(notes, fmt.Sprintf(string(format), strings.Join(paths, " or "))+": "+both("the index", d.sampleByCause[causes[0]], isAlone))
	}
	if len(d.panickedSamples) > 0 {
		notes = append(notes, both("the index", shortestSample(d.panickedSamples), func(s *sample) bool { return s.panicOrErrorText != "" }))
	}
	if len(d.unexplainedSamples) > 0 {
		causes := l.possibleCauses(markers)
		refusal = both(markersPhrase(markers), shortestSample(d.unexplainedSamples), func(s *sample) bool {
			return s.panicOrErrorText == "" && !d.noteExplainingCauses(l, markers, s, causes)
		})
	} else if d.unexercisedMarker != nil {
		refusal = "no random object that was tried is indexed by " + d.unexercisedMarker.unnamedMarkerText()
	}
	return notes, refusal
}

func shortestSample(samples []*sample) *sample {
	return slices.MinFunc(samples, func(a, b *sample) int {
		return cmp.Or(len(a.objectJSON)-len(b.objectJSON), bytes.Compare(a.objectJSON, b.objectJSON))
	})
}

func markersPhrase(markers []*marker) string {
	var out []string
	for _, m := range markers {
		out = append(out, strings.Replace(m.unnamedMarkerText(), "name=NAME,", "", 1))
	}
	return strings.Join(out, " and ")
}
