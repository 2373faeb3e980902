// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package learn

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// A marker is one marker of an index, and what its index function returns.
type marker struct {
	typ       reflect.Type
	text      []string // of the function's keys: before, between and after the places
	places    []string // paths of the parts of the key; of a reference, of the name
	conds     []condition
	omit      bool   // the zero value is not indexed
	otherwise string // a path, which begins with a dot, or a literal
	ref       bool
	namespace string  // of a reference: the path of its namespace, or "" for the object's own
	holder    string  // of a reference that is a struct: its path
	to        *target // of a reference with a kind

	loops []string // the elements that the places go through
	made  map[*sample]made
}

// A target is the kind and group to which references lead.
type target struct{ kind, group, groupField string }

// made is what a marker returns for a sample.
type made struct {
	keys      []string
	defaulted bool
}

// with returns the marker with a change.
func (m marker) with(change func(*marker)) *marker {
	m.conds, m.loops, m.made = slices.Clone(m.conds), nil, nil
	change(&m)
	for i := len(m.conds) - 1; i >= 0; i-- {
		if slices.Contains(m.conds[:i], m.conds[i]) {
			m.conds = slices.Delete(m.conds, i, i+1)
		}
	}
	return &m
}

// path returns a path with the filters of its lists.
func (m *marker) path(path string) (out string) {
	for elem, list := range elems(path) {
		out += list
		if filter := m.texts(elem, " && "); filter != "" {
			out += "[?(" + filter + ")]"
		} else if elem != path || typeAt(m.typ, strings.TrimSuffix(elem, each)).Kind() == reflect.Map {
			out += each
		}
	}
	_, rest := listOf(path)
	return out + rest
}

// elems yields the elements that a path goes through, outer ones first, and the path from one to the list of the next.
func elems(path string) func(yield func(elem, list string) bool) {
	return func(yield func(elem, list string) bool) {
		for from := 0; ; {
			i := strings.Index(path[from:], each)
			if i < 0 || !yield(path[:from+i+len(each)], path[from:from+i]) {
				return
			}
			from += i + len(each)
		}
	}
}

// texts joins the conditions on an element.
func (m *marker) texts(elem, sep string) string {
	var out []string
	for _, c := range m.conds {
		if c.elem == elem {
			out = append(out, c.text())
		}
	}
	slices.Sort(out)
	return strings.Join(slices.Compact(out), sep)
}

// Text returns the marker with NAME in place of the name of its index.
func (m *marker) Text() string {
	var paths []string
	for _, p := range m.places {
		paths = append(paths, m.path(p))
	}
	out := "+index:name=NAME,path=" + strings.Join(paths, ",")
	switch {
	case m.holder != "":
		out = "+index:ref:name=NAME,path=" + m.path(m.holder)
	case m.ref:
		out = "+index:ref:name=NAME,path=" + paths[0]
	case len(paths) != 1:
		out = "+index:name=NAME,paths={" + strings.Join(paths, ",") + "}"
	}
	if m.holder == "" && m.namespace != "" {
		out += ",namespacePath=" + m.path(m.namespace)
	}
	if m.to != nil {
		of := strings.Trim(m.to.kind+"."+m.to.group, ".")
		out += ",to=" + of
		kind, _ := m.optional("kind")
		if group, _ := m.optional(m.to.groupField); kind || group {
			out += ",absent=" + of
		}
		if m.to.group != "" {
			out += ",scope=Namespaced"
		}
	}
	switch {
	case isPath(m.otherwise):
		out += ",else=" + m.path(m.otherwise)
	case m.otherwise != "" && typeAt(m.typ, m.places[0]).Kind() == reflect.String:
		out += ",else=" + strconv.Quote(m.otherwise)
	case m.otherwise != "":
		out += ",else=" + m.otherwise
	case m.omit && !m.ref:
		out += ",omitempty=true"
	}
	conds := m.texts("", ",")
	if strings.Contains(conds, ",") {
		conds = "{" + conds + "}"
	}
	if conds != "" {
		out += ",if=" + conds
	}
	return out
}

func isPath(s string) bool { return strings.HasPrefix(s, ".") }

// optional reports whether a field of the struct that refers can be absent, and whether it is a pointer.
func (m *marker) optional(name string) (optional, pointer bool) {
	t := typeAt(m.typ, m.holder)
	f, ok := memberOf(t, name)
	pointer = ok && t.FieldByIndex(f.index).Type.Kind() == reflect.Pointer
	return f.empty || pointer, pointer
}

// bound has the element that a path with [*] stands for.
type bound map[string]reflect.Value

func (b bound) at(path string) (reflect.Value, bool) {
	elem, rest := listOf(path)
	return at(b[elem], rest)
}

// loops returns the paths of the elements that paths go through, outer ones first.
func loops(paths ...string) []string {
	out := []string{}
	for _, p := range paths {
		for elem := range elems(p) {
			if !slices.Contains(out, elem) {
				out = append(out, elem)
			}
		}
	}
	slices.SortStableFunc(out, func(a, b string) int { return len(a) - len(b) })
	return out
}

// each calls f for all combinations of elements that satisfy the conditions.
func (m *marker) each(b bound, loops []string, f func()) {
	if len(loops) == 0 {
		f()
		return
	}
	elem := loops[0]
	if v, ok := b.at(strings.TrimSuffix(elem, each)); ok && b[elem].IsValid() {
		m.each(b, loops[1:], f)
	} else if ok {
		for _, v := range elements(v) {
			if m.satisfied(elem, v) {
				b[elem] = v
				m.each(b, loops[1:], f)
			}
		}
		delete(b, elem)
	}
}

func (m *marker) satisfied(elem string, v reflect.Value) bool {
	for i := range m.conds {
		if c := &m.conds[i]; c.elem == elem && !c.holds(stateAt(v, c.rest)) {
			return false
		}
	}
	return true
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

// keys returns the keys of a sample as the text that the function returns, and whether a default is among them.
func (m *marker) keys(s *sample) made {
	if known, ok := m.made[s]; ok {
		return known
	}
	if m.made == nil {
		m.made, m.loops = map[*sample]made{}, loops(append([]string{m.namespace}, m.places...)...)
	}
	m.made[s] = m.run(s.obj)
	return m.made[s]
}

func (m *marker) run(obj reflect.Value) (out made) {
	b := bound{"": obj}
	if !m.satisfied("", obj) || slices.ContainsFunc(m.conds, func(c condition) bool { return m.foreign(c) && !c.among(obj) }) {
		return out
	}
	add := func(parts ...string) {
		key := m.text[0]
		for i, p := range parts {
			key += p + m.text[i+1]
		}
		out.keys = append(out.keys, key)
	}
	own, _ := at(obj, ownNamespace)
	value := func(given, v string) { // with the namespace of a reference
		namespace, name, ok := strings.Cut(v, "/") // emitted functions read a name so
		switch {
		case !m.ref:
			add(v)
		case own.String() == "" || v == "":
		case given != "":
			add(given, v)
		case !m.named() || !ok:
			add(own.String(), v)
		case namespace != "" && name != "" && !strings.Contains(name, "/"):
			add(namespace, name)
		}
	}
	outer := []string{}
	if isPath(m.otherwise) {
		outer = loops(m.otherwise)
	}
	m.each(b, outer, func() {
		before, filled := len(out.keys), m.otherwise == ""
		m.each(b, m.loops, func() {
			var parts []string
			for _, p := range m.places {
				v, ok := b.at(p)
				if !ok || m.omit && v.IsZero() {
					return
				}
				parts = append(parts, textOf(v))
			}
			filled = filled || parts[0] != ""
			given, ok := b.at(m.namespace)
			switch {
			case m.to != nil && !m.matches(b):
			case len(parts) != 1:
				add(parts...)
			case m.namespace != "" && ok:
				value(given.String(), parts[0])
			default:
				value("", parts[0])
			}
		})
		if filled {
			return
		}
		out.keys = out.keys[:before]
		if v, ok := b.at(m.otherwise); !isPath(m.otherwise) {
			out.defaulted = true
			value("", m.otherwise)
		} else if ok {
			out.defaulted = true
			value("", textOf(v))
		}
	})
	return out
}

// named reports whether the marker's path leads to a name, which may have its namespace before it.
func (m *marker) named() bool {
	return m.ref && (m.holder == "" && m.namespace == "" || m.otherwise != "")
}

// matches reports whether a reference is to the kind and group. An absent one is that of absent=, which is the same.
func (m *marker) matches(b bound) bool {
	for field, want := range map[string]string{"kind": m.to.kind, m.to.groupField: m.to.group} {
		v, ok := b.at(m.holder + "." + field)
		if field == "" || !ok || want == "" && (v.String() == "v1" || v.String() == "core") {
			continue
		}
		optional, pointer := m.optional(field)
		if v.String() != want && (v.String() != "" || !optional || pointer) {
			return false
		}
	}
	return true
}

// foreign reports whether a condition is on an element that no key comes from.
func (m *marker) foreign(c condition) bool { return c.elem != "" && !slices.Contains(m.loops, c.elem) }

// among reports whether the condition holds for some element, or if it is a negation, for all.
func (c condition) among(obj reflect.Value) bool {
	some := slices.ContainsFunc(values(obj, c.elem), func(v reflect.Value) bool { return c.holds(stateAt(v, c.rest)) != c.not })
	return some != c.not
}

// bad returns why there is no such marker, or "".
func (m *marker) bad() string {
	m.loops = loops(append([]string{m.namespace}, m.places...)...)
	if len(m.places) == 0 {
		return fmt.Sprintf("the key %q is a constant", m.text[0])
	}
	for _, c := range m.conds {
		switch {
		case c.empty(c.not) && strings.HasSuffix(c.path, "']"):
			return "a condition on an empty entry of a map"
		case m.foreign(c):
			return fmt.Sprintf("a condition on some element of %s that the key does not come from", strings.TrimSuffix(c.elem, each))
		case c.elem != "" && c.rest == "":
			return fmt.Sprintf("a condition on the elements of %s themselves", strings.TrimSuffix(c.elem, each))
		}
	}
	return ""
}

func (m *marker) String() string { return fmt.Sprintf("%s %q", m.Text(), m.text) }
