// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package learn

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// An exclusion is a difference that a note tells, for some objects.
type exclusion struct {
	note   string // or "", if nobody has such objects
	covers func(obj reflect.Value, want, got []string) bool
}

// exclusions returns the differences that markers may have, which notes tell.
func (l *learner) exclusions(markers []*marker) (out []exclusion) {
	add := func(note string, covers func(obj reflect.Value, want, got []string) bool) {
		if note == "" || !slices.ContainsFunc(out, func(e exclusion) bool { return e.note == note }) {
			out = append(out, exclusion{note, covers})
		}
	}
	if _, ok := l.index[ownNamespace]; ok {
		note := "objects are expected to have a namespace"
		if slices.ContainsFunc(markers, func(m *marker) bool { return m.ref }) {
			note = "" // as all objects that refer to others
		}
		add(note, func(obj reflect.Value, _, _ []string) bool {
			v, _ := at(obj, ownNamespace)
			return v.Len() == 0
		})
	}
	unnamed := func(k string) bool { return k == "" || strings.HasSuffix(k, "/") }
	named := func(keys []string) []string { return slices.DeleteFunc(slices.Clone(keys), unnamed) }
	for _, m := range markers {
		note := "references with an empty name are not indexed"
		if !m.ref {
			note = fmt.Sprintf("objects without %s are not indexed", m.path(m.places[0]))
		}
		if m.ref || len(m.places) == 1 && strings.Contains(m.places[0], "['") {
			add(note, func(_ reflect.Value, want, got []string) bool {
				return slices.ContainsFunc(slices.Concat(want, got), unnamed) && slices.Equal(named(want), named(got))
			})
		}
		if m.named() { // names have no slash
			add("", func(_ reflect.Value, want, got []string) bool {
				return slices.ContainsFunc(slices.Concat(want, got), func(k string) bool { return strings.Count(k, "/") > 1 })
			})
		}
		paths := []string{m.otherwise, m.namespace}
		if m.otherwise != "" {
			paths = append(paths, m.places[0])
		}
		if m.to != nil {
			paths = append(paths, m.holder+".kind", m.holder+"."+m.to.groupField)
		}
		for _, c := range m.conditions() {
			paths = append(paths, c.path)
			if elem, rest := listOf(c.path); elem != "" && c.equals && !c.not {
				list := strings.TrimSuffix(elem, each)
				add(fmt.Sprintf("of several elements of %s with one %s, the function takes the first", m.path(list), strings.TrimPrefix(rest, ".")),
					func(obj reflect.Value, _, _ []string) bool { return twice(obj, list, rest) })
			}
		}
		for _, p := range paths {
			if i, ok := l.index[p]; ok && l.spots[i].class == text {
				keyed := m.otherwise != "" && (p == m.otherwise || p == m.places[0]) // the function returns the empty text
				add(fmt.Sprintf("an empty %s counts as absent", p), func(obj reflect.Value, want, _ []string) bool {
					return (!keyed || slices.ContainsFunc(want, unnamed)) && slices.ContainsFunc(values(obj, p), func(v reflect.Value) bool { return v.Len() == 0 })
				})
			}
		}
	}
	return out
}

// values returns what a path leads to, of all elements.
func values(obj reflect.Value, path string) (out []reflect.Value) {
	b := bound{"": obj}
	(&marker{}).each(b, loops(path), func() {
		if v, ok := b.at(path); ok {
			out = append(out, v)
		}
	})
	return out
}

// twice reports whether two elements of a list have one value at a path.
func twice(obj reflect.Value, list, path string) (twice bool) {
	for _, v := range values(obj, list) {
		seen := map[string]bool{}
		for _, e := range elements(v) {
			if v, ok := at(e, path); ok {
				twice = twice || seen[textOf(v)]
				seen[textOf(v)] = true
			}
		}
	}
	return twice
}
