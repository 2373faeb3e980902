// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package learn

import (
	"cmp"
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

// valueJSON returns the JSON of a value, or "" if it is absent. The map gets the states of what it holds.
func (f *objectFiller) valueJSON(s *fieldPath, values valuesByPath) (text string) {
	n := stateNode{state: f.chooseNextState(s)}
	if n.state == stateAbsent {
		return ""
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
		text = n.state[1:]
	}
	_, rest := splitAtElement(s.path)
	if values[rest] = n; s.mentionedIndex >= 0 {
		f.sample.mentionedStates[s.mentionedIndex] = n.state
	}
	return text
}

func quotedJSON(s string) string {
	text, _ := json.Marshal(s) // a string has no error
	return string(text)
}

func (f *objectFiller) structJSON(s *fieldPath, values valuesByPath) string {
	var members []string
	for _, m := range s.children {
		if m.mentionedIndex < 0 && !f.sample.includesUnmentioned || len(m.candidateStates) == 0 {
			continue
		}
		text := f.valueJSON(m, values)
		if text != "" && (m.isOptional || !slices.Contains([]string{`""`, "{}", "[]"}, text)) {
			members = append(members, quotedJSON(m.path[len(s.path)+1:])+":"+text)
		}
	}
	return "{" + strings.Join(members, ",") + "}"
}

// listJSON returns the JSON of a list or a map with some elements, and their states.
func (f *objectFiller) listJSON(s *fieldPath, values valuesByPath, hasElements bool) (text string, elements []valuesByPath) {
	var keys, parts []string
	last := len(s.children) - 1
	if !hasElements || len(s.children[last].candidateStates) == 0 {
		return map[bool]string{false: "[]", true: "{}"}[s.isMap], nil
	}
	addEntry := func(key, text string, states valuesByPath) {
		if text != "" && !slices.Contains(keys, key) {
			keys, parts, elements = append(keys, key), append(parts, quotedJSON(key)+":"+text), append(elements, states)
		}
	}
	for _, e := range s.children[:last] {
		text, states := f.valueJSON(e, values), valuesByPath{}
		_, at := splitAtElement(e.path)
		for p, n := range values {
			if p == at || isAncestorPath(at, p) {
				states[p[len(at):]] = n
			}
		}
		addEntry(lastFieldName(e.path), text, states)
	}
	for range stateNumber(f.chooseNextState(&fieldPath{mentionedIndex: -1, path: s.path + elementCountSuffix, candidateStates: []string{"=1"}})) {
		states := valuesByPath{}
		if s.isMap {
			key := f.chooseNextState(&fieldPath{mentionedIndex: -1, path: s.path + entryKeySuffix, valueClass: textClass, candidateStates: []string{"=" + uniqueMapKey}})
			addEntry(key[1:], f.valueJSON(s.children[last], states), states)
		} else {
			parts, elements = append(parts, cmp.Or(f.valueJSON(s.children[last], states), "null")), append(elements, states)
		}
	}
	text = strings.Join(parts, ",")
	return map[bool]string{false: "[" + text + "]", true: "{" + text + "}"}[s.isMap], elements
}
