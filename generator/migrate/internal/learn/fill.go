// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package learn

import (
	"encoding/json"
	"fmt"
	"reflect"
)

// A filler makes the object of a sample.
type filler struct {
	*sample
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
	if state == "" && !s.own {
		state = s.class.zero()
	}
	f.chosen = append(f.chosen, [2]string{s.path, state})
	return state
}

// fill returns a value for JSON, or nil if it is absent. in gets the states of what it holds.
func (f *filler) fill(s *spot, in object) (v any) {
	n := node{state: f.next(s)}
	if n.state == "" {
		return nil
	}
	switch s.class {
	case whole:
		n.state, v = "=all", f.structure(s, in)
	case list:
		if v, n.elems = f.elements(s, in, n.state != "="); len(n.elems) == 0 {
			n.state = "="
		}
	case text:
		v = n.state[1:]
	default:
		v = json.RawMessage(n.state[1:])
	}
	_, rest := listOf(s.path)
	if in[rest] = n; s.id >= 0 {
		f.states[s.id] = n.state
	}
	return v
}

func (f *filler) structure(s *spot, in object) any {
	out := map[string]any{}
	for _, m := range s.below {
		if m.id < 0 && !f.all || len(m.states) == 0 {
			continue
		}
		v := f.fill(m, in)
		if v != nil && (m.own || reflect.ValueOf(v).Len() > 0) {
			out[m.path[len(s.path)+1:]] = v
		}
	}
	return out
}

// elements returns a list or a map with some elements, and their states.
func (f *filler) elements(s *spot, in object, some bool) (v any, elems []object) {
	values, entries, last := []any{}, map[string]any{}, len(s.below)-1
	for i := 0; some && i < last; i++ {
		e, elem := s.below[i], object{}
		if v := f.fill(e, in); v != nil {
			entries[nameOf(e.path)], elems = v, append(elems, elem)
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
	for range n {
		elem, key := object{}, fmt.Sprint(len(values))
		if s.isMap {
			key = f.next(&spot{id: -1, path: s.path + keyOfEntry, class: text, states: []string{"=Kz"}})[1:]
		}
		if v := f.fill(s.below[last], elem); entries[key] == nil && (v != nil || !s.isMap) {
			values, entries[key], elems = append(values, v), v, append(elems, elem)
		}
	}
	if s.isMap {
		return entries, elems
	}
	return values, elems
}
