// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package learn

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
)

// An objectJSONBuilder makes the object of a sample.
type objectJSONBuilder struct {
	sample      *sample
	chooseState func(*fieldPath) string // returns a state, also for the number of elements and the key of an entry
}

// The ends of paths for the number of elements of a list, and for the key of an entry of a map.
const (
	elementCountSuffix = ".#"
	entryKeySuffix     = ".KEY"
)

// chooseAndNoteState chooses the state of a value, and notes it in the sample.
func (f *objectJSONBuilder) chooseAndNoteState(s *fieldPath) string {
	state := f.chooseState(s)
	if state == stateAbsent && !s.canBeAbsent {
		state = s.jsonClass.zeroState()
	}
	f.sample.statesInFillOrder = append(f.sample.statesInFillOrder, [2]string{s.path, state})
	return state
}

// chooseValueJSON returns the JSON of a value, or nil if it is absent. The map gets the states of what it holds.
func (f *objectJSONBuilder) chooseValueJSON(s *fieldPath, outValues valuesByPath) (textOrNil []byte) {
	n := stateNode{state: f.chooseAndNoteState(s)}
	if n.state == stateAbsent {
		return nil
	}
	switch s.jsonClass {
	case structClass:
		n.state, textOrNil = statePresent, f.chooseStructJSON(s, outValues)
	case listClass:
		if textOrNil, n.elements = f.chooseListJSON(s, outValues, n.state != stateEmpty); len(n.elements) == 0 {
			n.state = stateEmpty
		}
	case textClass:
		textOrNil = quotedJSON(n.state[1:])
	default:
		textOrNil = []byte(n.state[1:])
	}
	_, rest := splitAtElement(s.path)
	if outValues[rest] = n; s.mentionedIndex >= 0 {
		f.sample.mentionedStatesIfKnown[s.mentionedIndex] = n.state
	}
	return textOrNil
}

func quotedJSON(s string) []byte {
	if !strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r > '~' || r == '"' || r == '\\' }) { // which is fast
		return append(append(append(make([]byte, 0, len(s)+2), '"'), s...), '"')
	}
	text, _ := json.Marshal(s) // a string has no error
	return text
}

// closeJSON ends a list or a struct after its elements, each of which has a comma.
func closeJSON(text []byte, bracket byte) []byte {
	return append(bytes.TrimSuffix(text, []byte{','}), bracket)
}

func (f *objectJSONBuilder) chooseStructJSON(s *fieldPath, outValues valuesByPath) []byte {
	text := append(make([]byte, 0, 64), '{')
	for _, m := range s.children {
		if m.mentionedIndex < 0 && !f.sample.includesUnmentioned || len(m.candidateStates) == 0 {
			continue
		}
		value := f.chooseValueJSON(m, outValues)
		if value != nil && (m.canBeAbsent || !slices.Contains([]string{"", `""`, "{}", "[]", "0", "false"}, string(value))) {
			text = append(append(append(text, m.memberJSON...), value...), ',')
		}
	}
	return closeJSON(text, '}')
}

// chooseListJSON returns the JSON of a list or a map with some elements, and their states.
func (f *objectJSONBuilder) chooseListJSON(s *fieldPath, outValues valuesByPath, hasElements bool) (text []byte, elements []valuesByPath) {
	var keys []string
	brackets, last := map[bool]string{false: "[]", true: "{}"}[s.isMap], len(s.children)-1
	if !hasElements || len(s.children[last].candidateStates) == 0 {
		return []byte(brackets), nil
	}
	text = append(text, brackets[0])
	addEntry := func(key string, value []byte, states valuesByPath) {
		if value != nil && !slices.Contains(keys, key) {
			keys, text = append(keys, key), append(append(append(append(text, quotedJSON(key)...), ':'), value...), ',')
			elements = append(elements, states)
		}
	}
	for _, e := range s.children[:last] {
		value, states := f.chooseValueJSON(e, outValues), valuesByPath{}
		_, at := splitAtElement(e.path)
		for p, n := range outValues {
			if p == at || isAncestorPath(at, p) {
				states[p[len(at):]] = n
			}
		}
		addEntry(lastFieldOrKey(e.path), value, states)
	}
	for range stateNumber(f.chooseAndNoteState(&fieldPath{mentionedIndex: -1, path: s.path + elementCountSuffix, candidateStates: []string{"=1"}})) {
		states := valuesByPath{}
		if s.isMap {
			key := f.chooseAndNoteState(&fieldPath{mentionedIndex: -1, path: s.path + entryKeySuffix, jsonClass: textClass, candidateStates: []string{"=" + uniqueMapKey}})
			addEntry(key[1:], f.chooseValueJSON(s.children[last], states), states)
		} else if value := f.chooseValueJSON(s.children[last], states); value != nil {
			text, elements = append(append(text, value...), ','), append(elements, states)
		} else {
			text, elements = append(text, "null,"...), append(elements, states)
		}
	}
	return closeJSON(text, brackets[1]), elements
}
