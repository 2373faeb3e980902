// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package learn

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
)

// An exclusion is a difference that a note tells, for some objects.
type exclusion struct {
	note   string
	covers func(obj reflect.Value, want, got []string) bool
	keys   bool // it depends on the keys
}

// exclusions returns the differences that markers may have, which notes tell.
func (l *learner) exclusions(markers []*marker) (out []exclusion) {
	if _, ok := l.index[ownNamespace]; ok {
		note := "objects are expected to have a namespace"
		if slices.ContainsFunc(markers, func(m *marker) bool { return m.ref }) {
			note = "" // as all objects that refer to others
		}
		out = append(out, exclusion{note: note, covers: func(obj reflect.Value, _, _ []string) bool {
			v, _ := at(obj, ownNamespace)
			return v.Len() == 0
		}})
	}
	unnamed := func(k string) bool { return k == "" || strings.HasSuffix(k, "/") }
	for _, m := range markers {
		e := exclusion{keys: true, note: fmt.Sprintf("objects without %s are not indexed", m.path(m.places[0]))}
		if m.ref {
			e.note = "references with an empty name are not indexed"
		} else if !strings.Contains(m.places[0], "['") || len(m.places) > 1 {
			continue
		}
		e.covers = func(_ reflect.Value, want, got []string) bool {
			return slices.Equal(slices.DeleteFunc(slices.Clone(want), unnamed), slices.DeleteFunc(slices.Clone(got), unnamed))
		}
		out = append(out, e)
	}
	for _, m := range markers {
		if m.named() { // names have no slash, so this has no note
			out = append(out, exclusion{covers: func(_ reflect.Value, want, got []string) bool {
				return slices.ContainsFunc(append(slices.Clone(want), got...), func(k string) bool { return strings.Count(k, "/") > 1 })
			}})
		}
		for _, elem := range loops(m.places...) {
			for _, c := range m.where[elem] {
				if c.equals && !c.not {
					out = append(out, distinct(elem, c.path, m.path(strings.TrimSuffix(elem, each))))
				}
			}
		}
		paths := []string{m.otherwise, m.namespace}
		if m.otherwise != "" {
			paths = append(paths, m.places[0])
		}
		if m.to != nil {
			paths = append(paths, m.holder+".kind", m.holder+"."+m.to.groupField)
		}
		for _, elem := range slices.Sorted(maps.Keys(m.where)) {
			for _, c := range m.where[elem] {
				paths = append(paths, c.path)
			}
		}
		for _, p := range paths {
			if i, ok := l.index[p]; ok && l.spots[i].class == text {
				out = append(out, exclusion{note: fmt.Sprintf("an empty %s counts as absent", p), covers: func(obj reflect.Value, _, _ []string) bool {
					found, b := false, bound{"": obj}
					(&marker{}).each(b, loops(p), func() {
						v, ok := b.at(p)
						found = found || ok && v.Len() == 0
					})
					return found
				}})
			}
		}
	}
	seen := map[string]bool{}
	return slices.DeleteFunc(out, func(e exclusion) bool {
		known := seen[e.note] && e.note != ""
		seen[e.note] = true
		return known
	})
}

// distinct excludes objects with a list of which two elements have one value at a path.
func distinct(elem, path, shownList string) exclusion {
	list := strings.TrimSuffix(elem, each)
	_, rest := listOf(path)
	return exclusion{
		note: fmt.Sprintf("of several elements of %s with one %s, the function takes the first", shownList, strings.TrimPrefix(rest, ".")),
		covers: func(obj reflect.Value, _, _ []string) (twice bool) {
			b := bound{"": obj}
			(&marker{}).each(b, loops(list), func() {
				v, _ := b.at(list)
				seen := map[string]bool{}
				for _, e := range elements(v) {
					if v, ok := at(e, rest); ok {
						twice = twice || seen[textOf(v)]
						seen[textOf(v)] = true
					}
				}
			})
			return twice
		},
	}
}
