// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package learn

import (
	"maps"
	"slices"
	"strings"
	"sync"
)

// An evaluation is how a condition in the source of the function was in one call.
type evaluation struct {
	wasTrue, wasFalse bool
	texts             []string // that were compared
}

// thisCall has the conditions that the running call evaluated, by id; nil if none runs. Package migrate edits the source
// so that conditions call Seen, Text and Tag.
var (
	thisCall   map[int]*evaluation
	thisCallMu sync.Mutex
)

// watched returns the conditions that a call evaluates.
func watched(call func()) map[int]*evaluation {
	set := func(to map[int]*evaluation) map[int]*evaluation {
		thisCallMu.Lock()
		defer thisCallMu.Unlock()
		before := thisCall
		thisCall = to
		return before
	}
	set(map[int]*evaluation{})
	call()
	return set(nil)
}

func evaluated(id int, note func(*evaluation)) {
	thisCallMu.Lock()
	defer thisCallMu.Unlock()
	if thisCall == nil {
		return
	}
	if thisCall[id] == nil {
		thisCall[id] = &evaluation{}
	}
	note(thisCall[id])
}

// Seen notes the value of a condition.
func Seen[B ~bool](id int, b B) B {
	evaluated(id, func(e *evaluation) { e.wasTrue, e.wasFalse = e.wasTrue || bool(b), e.wasFalse || !bool(b) })
	return b
}

// Text notes a text that a condition compares. Of a loop, the first four are enough to know their form.
func Text[S ~string](id int, s S) S {
	evaluated(id, func(e *evaluation) {
		if len(e.texts) < 4 && !slices.Contains(e.texts, string(s)) {
			e.texts = append(e.texts, string(s))
		}
	})
	return s
}

// Tag notes that a switch chooses one of its cases, which calls Seen.
func Tag[T any](tag T, cases ...int) T {
	for _, id := range cases {
		Seen(id, false)
	}
	return tag
}

// A sourceCondition is how a condition was in all calls.
type sourceCondition struct {
	evaluation evaluation
	samples    []*sample // that compare texts
}

func (c *sourceCondition) oneWay() bool { return c.evaluation.wasTrue != c.evaluation.wasFalse }

// mostSamples is enough for samples that differ in what is absent.
const mostSamples = 16

// note notes how conditions were for a sample that is compared.
func (l *learner) note(s *sample) *sample {
	for id, e := range s.evaluated {
		c := l.conditions[id]
		if c == nil {
			c = &sourceCondition{}
			l.conditions[id] = c
		}
		c.evaluation.wasTrue, c.evaluation.wasFalse = c.evaluation.wasTrue || e.wasTrue, c.evaluation.wasFalse || e.wasFalse
		if texts := slices.Concat(e.texts, l.function.Constants[id]); len(texts) > 0 && len(c.samples) < mostSamples && len(s.states) > 0 {
			c.samples = append(c.samples, s)
		}
	}
	return s
}

// tryTexts tries the texts of conditions that were always true or always false: each alone, and with something around it,
// in each text that the function mentions of the same sample. If no other sample has keys, their keys are templates.
func (l *learner) tryTexts() {
	before, hasKeys := len(l.samples), len(l.found) > 0
	for _, id := range slices.Sorted(maps.Keys(l.oneWay())) {
		c := l.conditions[id]
		for n := range c.samples {
			for _, w := range slices.Concat(c.samples[n].evaluated[id].texts, l.function.Constants[id]) {
				l.tryText(c.samples[n], w)
			}
		}
	}
	if hasKeys {
		l.tried = append(l.tried, l.samples[before:]...)
		l.samples = l.samples[:before:before]
		return
	}
	for _, s := range l.samples[before:] {
		l.collect(s)
	}
}

func (l *learner) tryText(s *sample, w string) {
	for i, spot := range l.spots {
		isName := strings.HasPrefix(spot.path, ".metadata.name")
		if w == "" || spot.class != text || isName && strings.Contains(w, "/") {
			continue
		}
		for _, tried := range []string{w, w + "-b", "b-" + w, "b-" + w + "-b"} {
			l.changed(s, i, "="+tried)
		}
	}
}

// oneWay returns the conditions that were only true or only false.
func (l *learner) oneWay() map[int]bool {
	out := map[int]bool{}
	for id, c := range l.conditions {
		if c.oneWay() {
			out[id] = c.evaluation.wasTrue
		}
	}
	return out
}
