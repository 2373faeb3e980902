// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package learn

import (
	"encoding/json"
	"slices"
)

// A filler makes the object of a sample.
type filler struct {
	sample *sample
	choose func(*spot) string // returns a state, also for the number of elements and the key of an entry
}

// The ends of the paths of spots for the number of elements of a list, and for the key of an entry of a map.
const (
	numberOfElements = ".#"
	keyOfEntry       = ".KEY"
)

// next chooses the state of a spot.
func (f *filler) next(s *spot) string {
	state := f.choose(s)
	if state == stateAbsent && !s.own {
		state = s.class.zero()
	}
	f.sample.chosen = append(f.sample.chosen, [2]string{s.path, state})
	return state
}

// fill appends the JSON of a value to the sample's, or reports that it is absent. in gets the states of what it holds.
func (f *filler) fill(s *spot, in object) (present bool) {
	n := node{state: f.next(s)}
	if n.state == stateAbsent {
		return false
	}
	switch s.class {
	case whole:
		n.state = statePresent
		f.fillStruct(s, in)
	case list:
		if n.elems = f.fillElements(s, in, n.state != stateEmpty); len(n.elems) == 0 {
			n.state = stateEmpty
		}
	case text:
		f.sample.text = appendQuoted(f.sample.text, n.state[1:])
	default:
		f.sample.text = append(f.sample.text, n.state[1:]...)
	}
	_, rest := listOf(s.path)
	if in[rest] = n; s.id >= 0 {
		f.sample.states[s.id] = n.state
	}
	return true
}

func appendQuoted(to []byte, s string) []byte {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c > '~' || c == '"' || c == '\\' {
			quoted, _ := json.Marshal(s) // a string has no error
			return append(to, quoted...)
		}
	}
	return append(append(append(to, '"'), s...), '"')
}

// fillMember appends a name and what fillValue appends, or nothing if that reports so.
func (f *filler) fillMember(name string, fillValue func() bool) bool {
	start := len(f.sample.text)
	if last := f.sample.text[start-1]; last != '{' {
		f.sample.text = append(f.sample.text, ',')
	}
	f.sample.text = append(appendQuoted(f.sample.text, name), ':')
	if !fillValue() {
		f.sample.text = f.sample.text[:start]
		return false
	}
	return true
}

func (f *filler) fillStruct(s *spot, in object) {
	f.sample.text = append(f.sample.text, '{')
	for _, m := range s.below {
		if m.id < 0 && !f.sample.all || len(m.states) == 0 {
			continue
		}
		f.fillMember(m.path[len(s.path)+1:], func() bool {
			start := len(f.sample.text)
			return f.fill(m, in) && (m.own || !slices.Contains([]string{`""`, "{}", "[]"}, string(f.sample.text[start:])))
		})
	}
	f.sample.text = append(f.sample.text, '}')
}

// fillElements appends a list or a map with some elements, and returns their states.
func (f *filler) fillElements(s *spot, in object, some bool) (elems []object) {
	var keys []string
	last := len(s.below) - 1
	brackets := map[bool]string{false: "[]", true: "{}"}[s.isMap]
	f.sample.text = append(f.sample.text, brackets[0])
	for i := 0; some && i < last; i++ {
		e, elem := s.below[i], object{}
		if f.fillMember(nameOf(e.path), func() bool { return f.fill(e, in) }) {
			keys, elems = append(keys, nameOf(e.path)), append(elems, elem)
		}
		_, at := listOf(e.path)
		for p, n := range in {
			if p == at || above(at, p) {
				elem[p[len(at):]] = n
			}
		}
	}
	n := 0
	if some {
		n = numberOf(f.next(&spot{id: -1, path: s.path + numberOfElements, states: []string{"=1"}}))
	}
	for i := range n {
		elem := object{}
		if !s.isMap {
			if i > 0 {
				f.sample.text = append(f.sample.text, ',')
			}
			if elems = append(elems, elem); !f.fill(s.below[last], elem) {
				f.sample.text = append(f.sample.text, "null"...)
			}
			continue
		}
		key := f.next(&spot{id: -1, path: s.path + keyOfEntry, class: text, states: []string{"=" + ownKey}})[1:]
		if f.fillMember(key, func() bool { return f.fill(s.below[last], elem) && !slices.Contains(keys, key) }) {
			keys, elems = append(keys, key), append(elems, elem)
		}
	}
	f.sample.text = append(f.sample.text, brackets[1])
	return elems
}
