// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package learn

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"sync"
)

// A callOrTotalEvaluation is how a condition in the source of the function was, in one call or in all.
type callOrTotalEvaluation struct {
	wasTrue, wasFalse     bool
	callComparedTexts     []string  // in one call
	totalComparingSamples []*sample // in all
}

// currentEvaluations has the conditions that the running call evaluated, by id; nil if none runs. Package migrate edits
// the source so that conditions call Seen, Text and Tag.
var (
	currentEvaluations   map[int]*callOrTotalEvaluation
	currentEvaluationsMu sync.Mutex
)

// recordEvaluations returns the conditions that a call evaluates.
func recordEvaluations(call func()) map[int]*callOrTotalEvaluation {
	out := map[int]*callOrTotalEvaluation{}
	set := func(to map[int]*callOrTotalEvaluation) {
		currentEvaluationsMu.Lock()
		defer currentEvaluationsMu.Unlock()
		currentEvaluations = to
	}
	set(out)
	call()
	set(nil)
	return out
}

func updateEvaluation(id int, update func(*callOrTotalEvaluation)) {
	currentEvaluationsMu.Lock()
	defer currentEvaluationsMu.Unlock()
	if currentEvaluations != nil {
		e := cmp.Or(currentEvaluations[id], &callOrTotalEvaluation{})
		currentEvaluations[id] = e
		update(e)
	}
}

// Seen notes the value of a condition.
func Seen[B ~bool](id int, b B) B {
	updateEvaluation(id, func(e *callOrTotalEvaluation) { e.wasTrue, e.wasFalse = e.wasTrue || bool(b), e.wasFalse || !bool(b) })
	return b
}

// Text notes a text that a condition compares.
func Text[S ~string](id int, s S) S {
	updateEvaluation(id, func(e *callOrTotalEvaluation) {
		if len(e.callComparedTexts) < maxComparedTexts && !slices.Contains(e.callComparedTexts, string(s)) {
			e.callComparedTexts = append(e.callComparedTexts, string(s))
		}
	})
	return s
}

// Tag notes that a switch or a loop is reached. The case that is chosen, or the body, calls Seen.
func Tag[T any](tag T, cases ...int) T {
	for _, id := range cases {
		Seen(id, false)
	}
	return tag
}

// maxComparingSamples is enough for samples that differ in what is absent.
const maxComparingSamples = 16

// noteEvaluations notes how conditions were for a sample that is compared.
func (l *learner) noteEvaluations(s *sample) *sample {
	for id, e := range s.evaluationByID {
		c := cmp.Or(l.totalEvaluations[id], &callOrTotalEvaluation{})
		l.totalEvaluations[id] = c
		c.wasTrue, c.wasFalse = c.wasTrue || e.wasTrue, c.wasFalse || e.wasFalse
		if texts := slices.Concat(e.callComparedTexts, l.function.Constants[id]); len(texts) > 0 && len(c.totalComparingSamples) < maxComparingSamples && len(s.mentionedStatesIfKnown) > 0 {
			c.totalComparingSamples = append(c.totalComparingSamples, s)
		}
	}
	return s
}

// addComparedTextSamples tries the texts of conditions that were always true or always false: each alone, and with
// something around it, in each text that the function mentions of the same sample. If no other sample has keys, their
// keys are templates.
func (l *learner) addComparedTextSamples() {
	before, hasKeys := len(l.singleElementSamples), len(l.templates) > 0
	for _, id := range slices.Sorted(maps.Keys(l.oneWayOutcomes())) {
		c := l.totalEvaluations[id]
		for n := range c.totalComparingSamples {
			for _, w := range slices.Concat(c.totalComparingSamples[n].evaluationByID[id].callComparedTexts, l.function.Constants[id]) {
				l.tryTextInFields(c.totalComparingSamples[n], w)
			}
		}
	}
	if hasKeys {
		l.comparedTextSamples = append(l.comparedTextSamples, l.singleElementSamples[before:]...)
		l.singleElementSamples = l.singleElementSamples[:before:before]
		return
	}
	for _, s := range l.singleElementSamples[before:] {
		l.addTemplatesOf(s)
	}
}

func (l *learner) tryTextInFields(s *sample, text string) {
	for i, field := range l.mentionedFields {
		isName := strings.HasPrefix(field.path, ".metadata.name")
		if text == "" || field.jsonClass != textClass || isName && strings.Contains(text, "/") {
			continue
		}
		for _, tried := range []string{text, text + "-b", "b-" + text, "b-" + text + "-b"} {
			l.sampleWithState(s, i, "="+tried)
		}
	}
}

// oneWayOutcomes returns the conditions that were only true or only false.
func (l *learner) oneWayOutcomes() map[int]bool {
	out := map[int]bool{}
	for id, c := range l.totalEvaluations {
		if c.wasTrue != c.wasFalse {
			out[id] = c.wasTrue
		}
	}
	return out
}
