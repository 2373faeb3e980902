// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package learn

import (
	"slices"
	"strconv"
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
	return m.with(func(m *marker) { m.namespace, m.places = ownNamespace, m.places[1:] })
}

// isKey reports whether keys are namespace and name of another object.
func (m *marker) isKey() bool {
	return !m.ref() && slices.Equal(m.text, []string{"", "/", ""}) &&
		m.learner.at(m.places[1]).class == text && m.places[1] != ".metadata.name"
}

// namespaced returns a reference with the namespace that another marker's keys have.
func (m *marker) namespaced(o *marker) *marker {
	if m.namespace != ownNamespace || !o.isKey() || o.places[1] != m.places[0] || o.places[0] == ownNamespace {
		return nil
	}
	return m.with(func(m *marker) {
		m.namespace, m.conds = o.places[0], append(m.conds, o.conds...)
		m.conds = slices.DeleteFunc(m.conds, func(c condition) bool { return c.spot.path == m.namespace })
	})
}

// targeted returns the marker with the path of the struct that refers, and with to= in place of conditions on its kind and
// group.
func (m *marker) targeted() *marker {
	if !m.ref() || m.holder+m.otherwise != "" || !strings.HasSuffix(m.places[0], ".name") {
		return nil
	}
	to := m.with(func(m *marker) {
		m.holder, m.targets = strings.TrimSuffix(m.places[0], ".name"), map[string][]string{}
	})
	kind, group, namespace, absent, others := "", "", ownNamespace, false, false
	for _, f := range m.learner.at(to.holder).below {
		name := nameOf(f.path)
		switch name {
		case "name", "key", "optional":
		case "apiVersion":
			return nil
		case "namespace":
			namespace = f.path
		case "kind", "group", "apiGroup":
			want, compared := "", false
			for _, c := range m.conds {
				if compared = compared || c.spot.path == f.path; c.spot.path == f.path && c.equals && !c.not && c.literal != "v1" && c.literal != "core" {
					want = c.literal
				}
			}
			if !compared {
				return nil // the function accepts all
			}
			states := []string{stateAbsent, "=" + want}
			if absent = absent || f.omitted || f.own; f.omitted && !f.own {
				states = append(states, stateEmpty)
			}
			if name == "kind" {
				kind = want
			} else if group = want; want == "" {
				states = append(states, "=v1", "=core")
			}
			to.targets[f.path] = states
		default:
			others = true
		}
	}
	of := strings.Trim(kind+"."+group, ".")
	if namespace != m.namespace || kind == "" && (others || len(to.targets) > 0) {
		return nil
	} else if kind == "" {
		return to
	}
	if to.to = ",to=" + of; absent {
		to.to += ",absent=" + of
	}
	if group != "" {
		to.to += ",scope=Namespaced"
	}
	to.conds = slices.DeleteFunc(to.conds, func(c condition) bool { return to.targets[c.spot.path] != nil })
	return to
}

// withDefault returns a marker with else= in place of another marker.
func (m *marker) withDefault(o *marker) *marker {
	if len(m.places) != 1 || m.otherwise+o.otherwise+m.to != "" || m.ref() && m.namespace != ownNamespace {
		return nil
	}
	otherwise, value := "", ""
	isLiteral := len(o.places) == 0 && !m.ref()
	if isLiteral {
		value, isLiteral = strings.CutPrefix(o.text[0], m.text[0])
		value = strings.TrimSuffix(value, m.text[1])
	} else if m.ref() && slices.Equal(o.places, []string{ownNamespace}) && o.text[0] == "" {
		value, isLiteral = strings.CutPrefix(o.text[1], "/")
	}
	switch {
	case isLiteral && m.learner.at(m.places[0]).class == text:
		otherwise = strconv.Quote(value)
	case isLiteral:
		otherwise = value
	case len(o.places) == 1 && slices.Equal(m.text, o.text) && m.namespace == o.namespace:
		otherwise = o.places[0]
	}
	if otherwise == "" || otherwise == m.places[0] || m.ref() && value == "" && isLiteral {
		return nil
	}
	return m.with(func(m *marker) {
		m.otherwise, m.conds = otherwise, slices.DeleteFunc(m.conds, m.omits)
		m.holder, m.targets = "", nil
		for _, c := range o.conds {
			if c.elem == "" && c.spot.path != m.places[0] {
				m.conds = append(m.conds, c)
			}
		}
	})
}
