// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package learn

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
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
	Type       int   // of Function.Types
	OtherTypes []int // after it that have keys, too
	Indexes    []Index
	Rows       []Row
	Reason     string
	Keyed      bool // the function returns keys, though there is a reason

	OneWay map[int]bool // the ids of conditions of the source that were always true, or always false
}

// An Index has the markers for the keys of one form.
type Index struct {
	Markers []string // with NAME in place of the index's name; the first has the options of all
	Notes   []string // how keys differ, and for which objects
	Parts   int      // of a key; 0 in a state
	State   string   // the key of a state
}

// A Row is an object for a test, and the keys that the function and the markers return.
type Row struct {
	Object json.RawMessage
	Keys   []string
}

// Learn runs a function on many objects, and returns markers that were compared with it on others.
func Learn(f *Function) (out Answer) {
	for i, make := range f.Types {
		l := f.newLearnerWithFullSample(make())
		placed := func(t *keyTemplate) bool { return len(t.bareMarker.keyPaths) > 0 }
		for n := 0; n < discoveryRounds && !slices.ContainsFunc(l.templates, placed); n++ {
			l.discoverTemplates()
		}
		l.addRandomSamples()
		if len(l.templates) > 0 {
			out = l.bestAnswer()
			out.Type = i
			for j, make := range f.Types[i+1:] {
				if len(f.newLearnerWithFullSample(make()).fullSample.sortedKeys) > 0 {
					out.OtherTypes = append(out.OtherTypes, i+1+j)
				}
			}
			return out
		} else if out = l.answerWithoutMarkers("no object that was tried has a key"); l.fullSample.panicOrErrorText != "" {
			out.Reason = "no keys, and a panic: " + l.fullSample.panicOrErrorText
		}
	}
	return out
}

// bestAnswer returns the smallest markers that are found.
func (l *learner) bestAnswer() Answer {
	if key := l.keyNotOfWholeFields(); strings.Contains(key, uniqueMapKey) {
		return l.answerWithoutMarkers("keys of a map")
	} else if key != "" {
		return l.answerWithoutMarkers(fmt.Sprintf("a key that is not made of whole fields: %q", key))
	}
	named := slices.DeleteFunc(slices.Clone(l.templates), func(t *keyTemplate) bool {
		return len(t.bareMarker.keyPaths) == 0 && hasEmptyLastPart(t.bareMarker.keyLiterals[0])
	})
	out := l.answerForTemplates(l.templates)
	if some := len(named); some > 0 && some < len(l.templates) && (out.Reason != "" || len(out.Indexes) > 1) {
		out = l.answerForTemplates(named)
	}
	return out
}

// answerForTemplates returns the smallest markers for templates.
func (l *learner) answerForTemplates(templates []*keyTemplate) Answer {
	l.templates = templates
	var markers []*marker
	for _, t := range l.templates {
		of, err := t.markersPerAlternative()
		if err != nil {
			return l.answerWithoutMarkers(err.Error())
		}
		markers = append(markers, of...)
	}
	markers, differences := l.shortenMarkers(markers)
	if slices.ContainsFunc(markers, (*marker).isReference) && slices.ContainsFunc(markers, (*marker).hasPlainNamespaceNameKeys) {
		markers = withoutReferences(markers) // one index has markers of one kind
		differences = l.compareWithFunction(markers, math.MaxInt)
	}
	markers = l.inOrderOfKeys(markers)
	notes, why := differences.differenceNotes(l, markers)
	for _, m := range markers {
		why = cmp.Or(m.inexpressibleError(), why)
	}
	if why != "" {
		return l.answerWithoutMarkers(why)
	}
	out := Answer{Rows: l.testRows(markers), OneWay: l.oneWayOutcomes()}
	var forms [][]string
	for _, m := range markers { // an index for each form of keys
		i := slices.IndexFunc(forms, func(form []string) bool { return slices.Equal(form, m.keyLiterals) })
		if i < 0 {
			forms = append(forms, m.keyLiterals)
			state := map[bool]string{true: m.keyLiterals[0]}[len(m.keyPaths) == 0]
			out.Indexes = append(out.Indexes, Index{Parts: len(m.keyPaths), State: state, Markers: []string{m.unnamedMarkerText() + m.valueOrFormatOption()}})
		} else {
			out.Indexes[i].Markers = append(out.Indexes[i].Markers, m.unnamedMarkerText())
		}
	}
	isTrue := func(ix Index) int { return map[bool]int{true: 0, false: 1}[ix.State == "true"] } // it gets the index's name
	slices.SortStableFunc(out.Indexes, func(a, b Index) int { return isTrue(a) - isTrue(b) })
	out.Indexes[0].Notes = notes
	return out
}

// answerWithoutMarkers returns the answer for a function that no markers replace.
func (l *learner) answerWithoutMarkers(reason string) Answer {
	return Answer{Reason: reason, Keyed: true, Rows: l.testRows(nil)}
}

// keyNotOfWholeFields returns a key that is not made of whole fields, or "".
func (l *learner) keyNotOfWholeFields() string {
	for _, t := range l.templates {
		like := t.randomReturningSample()
		other := l.runOnFilledObject(func(s *fieldPath) string { // with other texts
			if s.jsonClass == textClass && (s.mentionedIndex < 0 || like.mentionedStatesIfKnown[s.mentionedIndex] == s.candidateStates[0]) {
				return otherTextState(s.mentionedIndex)
			} else if s.mentionedIndex < 0 {
				return s.candidateStates[0]
			}
			return like.mentionedStatesIfKnown[s.mentionedIndex]
		}, false)
		if key, ok := t.keyFor(other); !ok || !slices.Contains(other.sortedKeys, key) {
			key, _ = t.keyFor(like)
			return key
		}
	}
	return ""
}
