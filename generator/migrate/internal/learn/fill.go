// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package learn

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
)

// An objectFiller makes the object of a sample.
type objectFiller struct {
	sample      *sample
	chooseState func(*fieldPath) string // returns a state, also for the number of elements and the key of an entry
}

// The ends of paths for the number of elements of a list, and for the key of an entry of a map.
const (
	elementCountSuffix = ".#"
	entryKeySuffix     = ".KEY"
)

// chooseNextState chooses the state of a value, and notes it in the sample.
func (f *objectFiller) chooseNextState(s *fieldPath) string {
	state := f.chooseState(s)
	if state == stateAbsent && !s.isOptional {
		state = s.valueClass.zeroState()
	}
	f.sample.chosenStates = append(f.sample.chosenStates, [2]string{s.path, state})
	return state
}

// valueJSON returns the JSON of a value, or nil if it is absent. The map gets the states of what it holds.
func (f *objectFiller) valueJSON(s *fieldPath, values valuesByPath) (text []byte) {
	n := stateNode{state: f.chooseNextState(s)}
	if n.state == stateAbsent {
		return nil
	}
	switch s.valueClass {
	case structClass:
		n.state, text = statePresent, f.structJSON(s, values)
	case listClass:
		if text, n.elements = f.listJSON(s, values, n.state != stateEmpty); len(n.elements) == 0 {
			n.state = stateEmpty
		}
	case textClass:
		text = quotedJSON(n.state[1:])
	default:
		text = []byte(n.state[1:])
	}
	_, rest := splitAtElement(s.path)
	if values[rest] = n; s.mentionedIndex >= 0 {
		f.sample.mentionedStates[s.mentionedIndex] = n.state
	}
	return text
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

func (f *objectFiller) structJSON(s *fieldPath, values valuesByPath) []byte {
	text := append(make([]byte, 0, 64), '{')
	for _, m := range s.children {
		if m.mentionedIndex < 0 && !f.sample.includesUnmentioned || len(m.candidateStates) == 0 {
			continue
		}
		value := f.valueJSON(m, values)
		if value != nil && (m.isOptional || !slices.Contains([]string{"", `""`, "{}", "[]", "0", "false"}, string(value))) {
			text = append(append(append(text, m.memberJSON...), value...), ',')
		}
	}
	return closeJSON(text, '}')
}

// listJSON returns the JSON of a list or a map with some elements, and their states.
func (f *objectFiller) listJSON(s *fieldPath, values valuesByPath, hasElements bool) (text []byte, elements []valuesByPath) {
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
		value, states := f.valueJSON(e, values), valuesByPath{}
		_, at := splitAtElement(e.path)
		for p, n := range values {
			if p == at || isAncestorPath(at, p) {
				states[p[len(at):]] = n
			}
		}
		addEntry(lastFieldName(e.path), value, states)
	}
	for range stateNumber(f.chooseNextState(&fieldPath{mentionedIndex: -1, path: s.path + elementCountSuffix, candidateStates: []string{"=1"}})) {
		states := valuesByPath{}
		if s.isMap {
			key := f.chooseNextState(&fieldPath{mentionedIndex: -1, path: s.path + entryKeySuffix, valueClass: textClass, candidateStates: []string{"=" + uniqueMapKey}})
			addEntry(key[1:], f.valueJSON(s.children[last], states), states)
		} else if value := f.valueJSON(s.children[last], states); value != nil {
			text, elements = append(append(text, value...), ','), append(elements, states)
		} else {
			text, elements = append(text, "null,"...), append(elements, states)
		}
	}
	return closeJSON(text, brackets[1]), elements
}
