// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package learn

import (
	"slices"
	"strings"
)

// rewrites yields lists of markers that may be as good as a list and are shorter.
func rewrites(list []*marker, yield func(list []*marker, noted bool) bool) {
	put := func(i, j int, by *marker, noted bool) bool {
		if by == nil {
			return false
		}
		next := slices.Clone(list)
		next[i] = by
		if j >= 0 {
			next = slices.Delete(next, j, j+1)
		}
		return yield(next, noted)
	}
	for i, m := range list {
		if put(i, -1, m.reference(), true) || put(i, -1, m.targeted(), true) {
			return
		}
		for j, o := range list {
			if i != j && (put(i, j, m.namespaced(o), true) || put(i, j, m.withDefault(o), true)) {
				return
			}
		}
	}
	for i, m := range slices.Backward(list) {
		empty := slices.ContainsFunc(m.conds, func(c condition) bool { return c.empty(false) })
		if len(list) > 1 && yield(slices.Delete(slices.Clone(list), i, i+1), empty) {
			return
		}
		for n, c := range m.conds {
			without := m.with(func(m *marker) { m.conds = slices.Delete(m.conds, n, n+1) })
			if put(i, -1, without, c.empty(true)) {
				return
			}
		}
	}
}

// reference returns the marker of a reference, for one whose keys are namespace and name of another object.
func (m *marker) reference() *marker {
	if !m.isKey() || m.places[0] != ownNamespace {
		return nil
	}
	return m.with(func(m *marker) {
		m.namespace, m.places = ownNamespace, m.places[1:]
		m.holds()
	})
}

// isKey reports whether keys are namespace and name of another object.
func (m *marker) isKey() bool {
	return !m.ref() && slices.Equal(m.text, []string{"", "/", ""}) &&
		m.at(m.places[1]).class == text && m.places[1] != ".metadata.name"
}

// holds sets the holder of a reference, and forgets conditions that its name is there.
func (m *marker) holds() {
	if m.holder = ""; m.refers(false) {
		m.holder = holderOf(m.places[0])
	}
	m.conds = slices.DeleteFunc(m.conds, func(c condition) bool { return c.path == m.places[0] && !c.equals })
}

// holderOf returns the path of the struct that has the last field of a path.
func holderOf(path string) string { return path[:max(0, strings.LastIndex(path, "."))] }

// namespaced returns a reference with the namespace that another marker's keys have.
func (m *marker) namespaced(o *marker) *marker {
	if m.namespace != ownNamespace || !o.isKey() || o.places[1] != m.places[0] || o.places[0] == ownNamespace {
		return nil
	}
	return m.with(func(m *marker) {
		m.namespace, m.conds = o.places[0], append(m.conds, o.conds...)
		m.conds = slices.DeleteFunc(m.conds, func(c condition) bool { return c.path == m.namespace })
		m.holds()
	})
}

// refers reports whether the name of a reference is in a struct of references, with a kind or without.
func (m *marker) refers(kind bool) bool {
	holder, namespace := holderOf(m.places[0]), ownNamespace
	if holder == "" || nameOf(m.places[0]) != "name" || strings.HasSuffix(m.places[0], each) {
		return false
	}
	for _, f := range members(m.at(holder).typ) {
		if !kind && !slices.Contains([]string{"name", "namespace", "key", "optional"}, f.name) || f.name == "apiVersion" {
			return false
		} else if f.name == "namespace" {
			namespace = holder + ".namespace"
		}
	}
	return m.namespace == namespace
}

// targeted returns the marker with to= in place of conditions on kind and group.
func (m *marker) targeted() *marker {
	if !m.ref() || m.to != "" || !m.refers(true) {
		return nil
	}
	to := m.with(func(m *marker) { m.holder, m.targets = holderOf(m.places[0]), map[string][]string{} })
	kind, group, absent := "", "", false
	for _, f := range members(m.at(to.holder).typ) {
		path := to.holder + "." + f.name
		if f.name != "kind" && f.name != "group" && f.name != "apiGroup" {
			continue
		} else if !slices.ContainsFunc(m.conds, func(c condition) bool { return c.path == path }) {
			return nil // the function accepts all
		}
		want := ""
		for _, c := range m.conds {
			if c.path == path && c.equals && !c.not && c.literal != "v1" && c.literal != "core" {
				want = c.literal
			}
		}
		states := []string{"", "=" + want}
		if f.name == "kind" {
			kind = want
		} else if group = want; want == "" {
			states = append(states, "=v1", "=core")
		}
		pointer := m.at(path).own
		if absent = absent || f.empty || pointer; f.empty && !pointer {
			states = append(states, "=")
		}
		to.targets[path] = states
	}
	of := strings.Trim(kind+"."+group, ".")
	if to.to = ",to=" + of; absent {
		to.to += ",absent=" + of
	}
	if group != "" {
		to.to += ",scope=Namespaced"
	}
	to.conds = slices.DeleteFunc(to.conds, func(c condition) bool { return to.targets[c.path] != nil })
	if kind == "" {
		return nil
	}
	return to
}

// withDefault returns a marker with else= in place of another marker.
func (m *marker) withDefault(o *marker) *marker {
	other := m.ref() && m.namespace != ownNamespace // than the object's
	if len(m.places) != 1 || len(o.places) > 1 || m.otherwise+o.otherwise != "" || m.namespace != o.namespace || other {
		return nil
	}
	otherwise := ""
	if len(o.places) == 1 && slices.Equal(m.text, o.text) {
		otherwise = o.places[0]
	} else if value, ok := strings.CutPrefix(o.text[0], m.text[0]); ok && len(o.places) == 0 {
		if otherwise = strings.TrimSuffix(value, m.text[1]); isPath(otherwise) {
			return nil
		}
	}
	if otherwise == "" || otherwise == m.places[0] {
		return nil
	}
	return m.with(func(m *marker) {
		m.otherwise, m.conds = otherwise, slices.DeleteFunc(m.conds, m.omits)
		for _, c := range o.conds {
			if c.elem == "" && c.path != m.places[0] {
				m.conds = append(m.conds, c)
			}
		}
	})
}
