// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package learn

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// A marker is one marker of an index, and what its index function returns.
type marker struct {
	learner   *learner
	text      []string // of the function's keys: before, between and after the places
	places    []string // paths of the parts of the key; of a reference, of the name
	conds     []condition
	otherwise string              // a path, which begins with a dot, or a literal: a text has quotes
	namespace string              // of a reference: the path of its namespace; of others none
	holder    string              // of a reference that is a struct: its path
	to        string              // of a reference with a kind: further options
	targets   map[string][]string // and the states that kind and group may have, by path

	loops []string // the elements that the places go through
	made  map[*sample]made
}

// made is what a marker returns for a sample.
type made struct {
	keys      []string
	defaulted bool
}

// with returns the marker with a change.
func (m marker) with(change func(*marker)) *marker {
	m.conds, m.made = slices.Clone(m.conds), map[*sample]made{}
	change(&m)
	conds := m.conds
	m.conds = nil
	for _, c := range conds {
		if !slices.Contains(m.conds, c) {
			m.conds = append(m.conds, c)
		}
	}
	m.loops = loops(append([]string{m.namespace}, m.places...)...)
	if len(m.places) == 0 {
		for _, c := range m.conds {
			m.loops = loops(append(m.loops, c.elem)...)
		}
	}
	return &m
}

// ref reports whether the marker is of a reference.
func (m *marker) ref() bool { return m.namespace != "" }

// at returns the spot at a path.
func (l *learner) at(path string) *spot { return l.index[path] }

// omits reports whether a condition is that the marker's key is not empty or 0.
func (m *marker) omits(c condition) bool {
	filled := !c.equals && !c.not || c.not && c.spot.class == number && c.literal == "0"
	return filled && len(m.places) == 1 && c.spot.path == m.places[0]
}

// path returns a path with the filters of its lists.
func (m *marker) path(path string) (out string) {
	from := 0
	for _, elem := range loops(path) {
		list := strings.TrimSuffix(elem, each)
		out += list[from:]
		if filter := m.texts(elem); len(filter) > 0 {
			out += "[?(" + strings.Join(filter, " && ") + ")]"
		} else if elem != path || m.learner.at(list).isMap {
			out += each
		}
		from = len(elem)
	}
	return out + path[from:]
}

// texts returns the conditions on an element.
func (m *marker) texts(elem string) (out []string) {
	for _, c := range m.conds {
		if c.elem == elem && !m.omits(c) {
			out = append(out, c.text())
		}
	}
	slices.Sort(out)
	return out
}

// Text returns the marker with NAME in place of the name of its index.
func (m *marker) Text() string {
	var paths []string
	for _, p := range m.places {
		paths = append(paths, m.path(p))
	}
	conds, out := m.texts(""), "+index:name=NAME"
	switch {
	case m.holder != "":
		out = "+index:ref:name=NAME,path=" + m.path(m.holder) + m.to
	case m.namespace == ownNamespace:
		out = "+index:ref:name=NAME,path=" + paths[0]
	case m.ref():
		out = "+index:ref:name=NAME,path=" + paths[0] + ",namespacePath=" + m.path(m.namespace)
	case len(paths) == 0:
		for _, elem := range m.loops {
			conds = append(conds, m.path(elem))
		}
	case len(paths) == 1:
		out += ",path=" + paths[0]
	default:
		out += ",paths={" + strings.Join(paths, ",") + "}" + m.unionOption()
	}
	switch {
	case isPath(m.otherwise):
		out += ",else=" + m.path(m.otherwise)
	case m.otherwise != "":
		out += ",else=" + m.otherwise
	case slices.ContainsFunc(m.conds, m.omits):
		out += ",omitempty=true"
	}
	if len(conds) > 1 {
		out += ",if={" + strings.Join(conds, ",") + "}"
	} else if len(conds) == 1 {
		out += ",if=" + conds[0]
	}
	if len(paths) == 0 {
		out += m.unionOption()
	}
	return out
}

// unionOption returns the option that one marker of a union has for all, or "": the text of keys of several parts, in
// which slashes are escaped without it, or that of a state.
func (m *marker) unionOption() string {
	switch {
	case len(m.places) > 1:
		form := strings.ReplaceAll(strings.Join(m.text, "\x00"), "%", "%%")
		return ",format=" + strconv.Quote(strings.ReplaceAll(form, "\x00", "%s"))
	case len(m.places) == 0 && m.text[0] != "true":
		return ",value=" + strconv.Quote(m.text[0])
	}
	return ""
}

func isPath(s string) bool { return strings.HasPrefix(s, ".") }

// bound has the element that a path with [*] stands for.
type bound map[string]object

func (b bound) at(path string) node {
	elem, rest := listOf(path)
	return b[elem][rest]
}

// bind returns all combinations of further elements that satisfy the conditions.
func (m *marker) bind(b bound, loops []string) []bound {
	all := []bound{b}
	for _, elem := range loops {
		var next []bound
		for _, b := range all {
			if b[elem] != nil {
				next = append(next, b)
				continue
			}
			for _, e := range b.at(strings.TrimSuffix(elem, each)).elems {
				if m.satisfied(elem, e) {
					b := maps.Clone(b)
					b[elem] = e
					next = append(next, b)
				}
			}
		}
		all = next
	}
	return all
}

func (m *marker) satisfied(elem string, o object) bool {
	for i := range m.conds {
		if c := &m.conds[i]; c.elem == elem && !c.holds(o[c.rest].state) {
			return false
		}
	}
	return true
}

// keys returns the keys of a sample as the text that the function returns, and whether a default is among them.
func (m *marker) keys(s *sample) made {
	known, ok := m.made[s]
	if !ok {
		known = m.run(s.root)
		m.made[s] = known
	}
	return known
}

func (m *marker) run(obj object) (out made) {
	if !m.satisfied("", obj) {
		return out
	}
	own := obj[ownNamespace].text()
	add := func(given string, parts ...string) {
		if m.ref() {
			namespace, name := cmp.Or(given, own), parts[0]
			if before, after, slash := strings.Cut(name, "/"); slash && m.holder == "" {
				if namespace, name = before, after; m.namespace != ownNamespace || strings.Contains(name, "/") {
					return // only a text alone may be namespace/name
				}
			}
			if parts = []string{namespace, name}; namespace == "" || name == "" {
				return
			}
		}
		key := m.text[0]
		for i, p := range parts {
			key += p + m.text[i+1]
		}
		out.keys = append(out.keys, key)
	}
	outer := []bound{{"": obj}}
	if isPath(m.otherwise) {
		outer = m.bind(outer[0], loops(m.otherwise))
	}
	for _, b := range outer {
		before, filled := len(out.keys), m.otherwise == ""
		for _, b := range m.bind(b, m.loops) {
			if parts := m.parts(b); parts != nil || len(m.places) == 0 {
				filled = filled || parts[0] != ""
				add(b.at(m.namespace).text(), parts...)
			}
		}
		value, n := m.otherwise, b.at(m.otherwise)
		if filled {
			continue
		} else if out.keys = out.keys[:before]; isPath(value) {
			value = n.text()
		} else if literal, err := strconv.Unquote(value); err == nil {
			value = literal
		}
		if n.state != stateAbsent || !isPath(m.otherwise) {
			out.defaulted = true
			add("", value)
		}
	}
	return out
}

// parts returns the values in a key, or nil if one is absent or a reference is to something else.
func (m *marker) parts(b bound) (out []string) {
	for _, p := range m.places {
		if b.at(p).state == stateAbsent {
			return nil
		}
		out = append(out, b.at(p).text())
	}
	for path, states := range m.targets {
		if !slices.Contains(states, b.at(path).state) {
			return nil
		}
	}
	return out
}

// paths returns all paths of the marker.
func (m *marker) paths() []string {
	out := slices.Concat(m.places, []string{m.namespace, m.otherwise}, slices.Collect(maps.Keys(m.targets)))
	for _, c := range m.conds {
		out = append(out, c.spot.path)
	}
	slices.Sort(out)
	return slices.DeleteFunc(slices.Compact(out), func(p string) bool { return !isPath(p) })
}

func loopOf(path string) string { elem, _ := listOf(path); return elem }

// bad returns why there is no such marker, or "". TestModelAgreesWithEmittedCode knows what the generator refuses.
func (m *marker) bad() string {
	switch {
	case len(m.places) == 0 && len(m.conds) == 0:
		return fmt.Sprintf("the key %q of all objects", m.text[0])
	case len(m.places) == 0 && m.text[0] == "":
		return "an empty key"
	case len(m.places) == 1 && !m.ref() && m.text[0]+m.text[1] != "":
		return fmt.Sprintf("a key with text around a field: %q", strings.Join(m.text, "…"))
	case len(m.places) > 1 && m.places[0] == m.places[1]:
		return "a key that has " + m.places[0] + " twice"
	case isPath(m.otherwise) && strings.Contains(strings.TrimPrefix(m.otherwise, loopOf(m.places[0])), each):
		return "a default that is in another list"
	case m.otherwise != "" && !m.learner.at(m.places[0]).canBeAbsent(m.learner):
		return "a default for " + m.places[0] + ", which is never absent"
	}
	for _, c := range m.conds {
		switch list := strings.TrimSuffix(c.elem, each); {
		case c.equals && strings.Contains(c.spot.path, "']") &&
			(c.literal == "" || c.spot.class != text && (c.literal == "0" || c.literal == "false")):
			return "a condition on an empty entry of a map"
		case c.elem != "" && !slices.Contains(m.loops, c.elem), len(m.places) == 0 && len(loops(c.elem)) > 1:
			return "a condition on some element of " + list + " that the key does not come from"
		case c.elem == c.spot.path && !m.omits(c):
			return "a condition on the elements of " + list + " themselves"
		case c.elem != "" && m.learner.at(list).isMap && !m.omits(c):
			return "a condition on the values of the map " + list
		case c.spot.class == whole && strings.HasSuffix(c.spot.path, "']"):
			return "a condition that the struct " + c.spot.path + " is in a map"
		}
	}
	return ""
}
