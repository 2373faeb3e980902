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
	ref       bool
	namespace string // of a reference: the path of its namespace, or "" for the object's own
	holder    string // of a reference that is a struct: its path
	to        *target
	where     map[string][]condition // by the element that they are on; "" is the object
	omit      bool                   // the zero value is not indexed
	otherwise string                 // a path, which begins with a dot, or a literal
	bad       string                 // why the conditions have no marker
}

// A target is the kind and group to which references lead.
type target struct{ kind, group, groupField string }

// path returns a path with the filters of its lists.
func (m *marker) path(path string) string {
	out, from := "", 0
	for i := range path {
		elem := path[:min(i+len(each), len(path))]
		if !strings.HasSuffix(elem, each) || len(elem) != i+len(each) {
			continue
		}
		out += path[from:i]
		if filter := m.texts(elem, " && "); filter != "" {
			out += "[?(" + filter + ")]"
		} else if len(elem) < len(path) || typeAt(m.typ, path[:i]).Kind() == reflect.Map {
			out += each
		}
		from = len(elem)
	}
	return out + path[from:]
}

// texts joins the conditions on an element.
func (m *marker) texts(elem, sep string) string {
	var out []string
	for _, c := range m.where[elem] {
		out = append(out, c.text())
	}
	slices.Sort(out)
	return strings.Join(slices.Compact(out), sep)
}

// Text returns the marker with NAME in place of the name of its index.
func (m *marker) Text() string {
	options := m.texts("", ",")
	if strings.Contains(options, ",") {
		options = "{" + options + "}"
	}
	if options != "" {
		options = ",if=" + options
	}
	switch {
	case m.otherwise != "":
		options = ",else=" + m.literal() + options
	case m.omit && !m.ref:
		options = ",omitempty=true" + options
	}
	switch {
	case m.ref && m.to != nil:
		of := strings.Trim(m.to.kind+"."+m.to.group, ".")
		to := ",to=" + of
		if m.absent("kind") || m.absent(m.to.groupField) {
			to += ",absent=" + of
		}
		if m.to.group != "" {
			to += ",scope=Namespaced"
		}
		return "+index:ref:name=NAME,path=" + m.path(m.holder) + to + options
	case m.holder != "":
		return "+index:ref:name=NAME,path=" + m.path(m.holder) + options
	case m.ref && m.namespace != "":
		return "+index:ref:name=NAME,path=" + m.path(m.places[0]) + ",namespacePath=" + m.path(m.namespace) + options
	case m.ref:
		return "+index:ref:name=NAME,path=" + m.path(m.places[0]) + options
	case len(m.places) == 1:
		return "+index:name=NAME,path=" + m.path(m.places[0]) + options
	}
	var paths []string
	for _, p := range m.places {
		paths = append(paths, m.path(p))
	}
	return "+index:name=NAME,paths={" + strings.Join(paths, ",") + "}" + options
}

// literal returns the value of else=.
func (m *marker) literal() string {
	if isPath(m.otherwise) {
		return m.path(m.otherwise)
	} else if typeAt(m.typ, m.places[0]).Kind() == reflect.String {
		return strconv.Quote(m.otherwise)
	}
	return m.otherwise
}

func isPath(s string) bool { return strings.HasPrefix(s, ".") }

// absent reports whether a field of the struct that refers can be absent.
func (m *marker) absent(name string) bool {
	t := typeAt(m.typ, m.holder)
	f, ok := memberOf(t, name)
	return ok && (f.empty || t.FieldByIndex(f.index).Type.Kind() == reflect.Pointer)
}

// bound has the element that a path with [*] stands for.
type bound map[string]reflect.Value

func (b bound) at(path string) (reflect.Value, bool) {
	elem, rest := listOf(path)
	return at(b[elem], rest)
}

// loops returns the paths of the elements that paths go through, outer ones first.
func loops(paths ...string) (out []string) {
	for _, p := range paths {
		for i := range p {
			if elem := p[:i]; strings.HasSuffix(elem, each) && !slices.Contains(out, elem) {
				out = append(out, elem)
			}
		}
		if strings.HasSuffix(p, each) && !slices.Contains(out, p) {
			out = append(out, p)
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
	return !slices.ContainsFunc(m.where[elem], func(c condition) bool { return !c.holds(v) })
}

// keys returns the keys of an object as the text that the function returns, and whether a default is among them.
func (m *marker) keys(obj reflect.Value) (keys []string, defaulted bool) {
	b := bound{"": obj}
	if !m.satisfied("", obj) {
		return nil, false
	}
	add := func(parts ...string) {
		key := m.text[0]
		for i, p := range parts {
			key += p + m.text[i+1]
		}
		keys = append(keys, key)
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
	if m.otherwise == "" {
		m.each(b, loops(append([]string{m.namespace}, m.places...)...), func() {
			var parts []string
			for _, p := range m.places {
				v, ok := b.at(p)
				if !ok || m.omit && v.IsZero() {
					return
				}
				parts = append(parts, textOf(v))
			}
			given, ok := b.at(m.namespace)
			switch {
			case m.to != nil && !m.to.matches(b, m):
			case len(parts) > 1:
				add(parts...)
			case m.namespace != "" && ok:
				value(given.String(), parts[0])
			default:
				value("", parts[0])
			}
		})
		return keys, false
	}
	var outer []string
	if isPath(m.otherwise) {
		outer = loops(m.otherwise)
	}
	m.each(b, outer, func() {
		found := false
		m.each(b, loops(m.places[0]), func() {
			v, ok := b.at(m.places[0])
			found = found || ok && textOf(v) != ""
		})
		if !found {
			v, ok := b.at(m.otherwise)
			if defaulted = defaulted || ok || !isPath(m.otherwise); !isPath(m.otherwise) {
				value("", m.otherwise)
			} else if ok {
				value("", textOf(v))
			}
			return
		}
		m.each(b, loops(m.places[0]), func() {
			if v, ok := b.at(m.places[0]); ok {
				value("", textOf(v))
			}
		})
	})
	return keys, defaulted
}

// named reports whether the marker's path leads to a name, which may have its namespace before it.
func (m *marker) named() bool {
	return m.ref && (m.holder == "" && m.namespace == "" || m.otherwise != "")
}

// matches reports whether a reference is to the kind and group. An absent one is that of absent=, which is the same.
func (t *target) matches(b bound, m *marker) bool {
	for field, want := range map[string]string{"kind": t.kind, t.groupField: t.group} {
		v, ok := b.at(m.holder + "." + field)
		core := want == "" && ok && (v.String() == "v1" || v.String() == "core")
		if gone := !ok || core || m.absent(field) && !isPointer(m, field) && v.String() == ""; field != "" && !gone && v.String() != want {
			return false
		}
	}
	return true
}

func isPointer(m *marker, name string) bool {
	t := typeAt(m.typ, m.holder)
	f, _ := memberOf(t, name)
	return t.FieldByIndex(f.index).Type.Kind() == reflect.Pointer
}

func (m *marker) String() string { return fmt.Sprintf("%s %q", m.Text(), m.text) }
