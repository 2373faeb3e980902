// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package learn

import (
	"encoding/json"
	"slices"
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

// appendValue appends the JSON of a value to the sample's, or reports that it is absent. The map gets the states of what
// it holds.
func (f *objectFiller) appendValue(s *fieldPath, values valuesByPath) (isPresent bool) {
	n := stateNode{state: f.chooseNextState(s)}
	if n.state == stateAbsent {
		return false
	}
	switch s.valueClass {
	case structClass:
		n.state = statePresent
		f.appendStruct(s, values)
	case listClass:
		if n.elements = f.appendElements(s, values, n.state != stateEmpty); len(n.elements) == 0 {
			n.state = stateEmpty
		}
	case textClass:
		f.sample.objectJSON = appendQuotedJSON(f.sample.objectJSON, n.state[1:])
	default:
		f.sample.objectJSON = append(f.sample.objectJSON, n.state[1:]...)
	}
	_, rest := splitAtElement(s.path)
	if values[rest] = n; s.mentionedIndex >= 0 {
		f.sample.mentionedStates[s.mentionedIndex] = n.state
	}
	return true
}

func appendQuotedJSON(to []byte, s string) []byte {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c > '~' || c == '"' || c == '\\' {
			quoted, _ := json.Marshal(s) // a string has no error
			return append(to, quoted...)
		}
	}
	return append(append(append(to, '"'), s...), '"')
}

// appendMember appends a name and what appendValue appends, or nothing if that reports so.
func (f *objectFiller) appendMember(name string, appendValue func() bool) bool {
	start := len(f.sample.objectJSON)
	if last := f.sample.objectJSON[start-1]; last != '{' {
		f.sample.objectJSON = append(f.sample.objectJSON, ',')
	}
	f.sample.objectJSON = append(appendQuotedJSON(f.sample.objectJSON, name), ':')
	if !appendValue() {
		f.sample.objectJSON = f.sample.objectJSON[:start]
		return false
	}
	return true
}

func (f *objectFiller) appendStruct(s *fieldPath, values valuesByPath) {
	f.sample.objectJSON = append(f.sample.objectJSON, '{')
	for _, m := range s.children {
		if m.mentionedIndex < 0 && !f.sample.includesUnmentioned || len(m.candidateStates) == 0 {
			continue
		}
		f.appendMember(m.path[len(s.path)+1:], func() bool {
			start := len(f.sample.objectJSON)
			return f.appendValue(m, values) && (m.isOptional || !slices.Contains([]string{`""`, "{}", "[]"}, string(f.sample.objectJSON[start:])))
		})
	}
	f.sample.objectJSON = append(f.sample.objectJSON, '}')
}

// appendElements appends a list or a map with some elements, and returns their states.
func (f *objectFiller) appendElements(s *fieldPath, values valuesByPath, hasElements bool) (elems []valuesByPath) {
	var keys []string
	last := len(s.children) - 1
	brackets := map[bool]string{false: "[]", true: "{}"}[s.isMap]
	f.sample.objectJSON = append(f.sample.objectJSON, brackets[0])
	for i := 0; hasElements && i < last; i++ {
		e, elem := s.children[i], valuesByPath{}
		if f.appendMember(lastFieldName(e.path), func() bool { return f.appendValue(e, values) }) {
			keys, elems = append(keys, lastFieldName(e.path)), append(elems, elem)
		}
		_, at := splitAtElement(e.path)
		for p, n := range values {
			if p == at || isAncestorPath(at, p) {
				elem[p[len(at):]] = n
			}
		}
	}
	n := 0
	if hasElements {
		n = stateNumber(f.chooseNextState(&fieldPath{mentionedIndex: -1, path: s.path + elementCountSuffix, candidateStates: []string{"=1"}}))
	}
	for i := range n {
		elem := valuesByPath{}
		if !s.isMap {
			if i > 0 {
				f.sample.objectJSON = append(f.sample.objectJSON, ',')
			}
			if elems = append(elems, elem); !f.appendValue(s.children[last], elem) {
				f.sample.objectJSON = append(f.sample.objectJSON, "null"...)
			}
			continue
		}
		key := f.chooseNextState(&fieldPath{mentionedIndex: -1, path: s.path + entryKeySuffix, valueClass: textClass, candidateStates: []string{"=" + uniqueMapKey}})[1:]
		if f.appendMember(key, func() bool { return f.appendValue(s.children[last], elem) && !slices.Contains(keys, key) }) {
			keys, elems = append(keys, key), append(elems, elem)
		}
	}
	f.sample.objectJSON = append(f.sample.objectJSON, brackets[1])
	return elems
}
