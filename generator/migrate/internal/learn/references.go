// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package learn

import (
	"slices"
	"strings"
)

const ownNamespace = ".metadata.namespace"

// references returns markers in which those whose keys are namespace and name of another object are references.
func references(all []*marker) (out []*marker) {
	all = slices.Clone(all)
	isKey := func(m *marker) bool {
		return !m.ref && slices.Equal(m.text, []string{"", "/", ""}) &&
			classOf(typeAt(m.typ, m.places[1])) == text && m.places[1] != ".metadata.name"
	}
	for n := range all {
		m := all[n]
		if m == nil || !isKey(m) || m.places[0] != ownNamespace {
			continue
		}
		name := m.places[1]
		ref := m.without(func(c condition) bool { return c.path == name && !c.equals })
		ref.ref, ref.places = true, []string{name}
		for i, o := range all { // with the namespace of the reference, if it has one
			if o == nil || !isKey(o) || o.places[1] != name || o.places[0] == ownNamespace {
				continue
			}
			ofReference := func(c condition) bool { return c.path == o.places[0] || c.path == name && !c.equals }
			if alone := m.without(ofReference); alone.same(o.without(ofReference)) {
				ref.where, ref.bad, ref.namespace, all[i] = alone.where, alone.bad, o.places[0], nil
				break
			}
		}
		all[n] = ref
		if ref.refers(false) {
			ref.holder = holderOf(name)
		}
	}
	for _, m := range all {
		if m != nil {
			out = append(out, m)
		}
	}
	return out
}

// refers reports whether the name of a reference is in a struct of references, with a kind or without.
func (m *marker) refers(kind bool) bool {
	holder := holderOf(m.places[0])
	if holder == "" || nameOf(m.places[0]) != "name" || strings.HasSuffix(m.places[0], each) {
		return false
	}
	t := typeAt(m.typ, holder)
	for _, f := range members(t) {
		if !kind && !slices.Contains([]string{"name", "namespace", "key", "optional"}, f.name) || f.name == "apiVersion" {
			return false
		}
	}
	_, has := memberOf(t, "namespace")
	return has == (m.namespace != "") && (!has || m.namespace == holder+".namespace")
}

// targeted returns markers in which conditions on kind and group are to=, where they may be.
func targeted(all []*marker) (out []*marker) {
	byRest := map[string]*marker{}
	for _, m := range all {
		if !m.ref || !m.refers(true) {
			out = append(out, m)
			continue
		}
		holder, to, checked := holderOf(m.places[0]), &target{}, false
		for _, f := range members(typeAt(m.typ, holder)) {
			if f.name == "group" || f.name == "apiGroup" {
				to.groupField = f.name
			}
		}
		ref := m.without(func(c condition) bool {
			field, ok := strings.CutPrefix(c.path, holder+".")
			switch {
			case !ok || field != "kind" && field != "group" && field != "apiGroup":
				return false
			case field != "kind":
				if checked = true; c.equals && !c.not && c.literal != "v1" && c.literal != "core" {
					to.group = c.literal
				}
			case c.equals && !c.not:
				to.kind = c.literal
			}
			return true
		})
		if to.groupField != "" && !checked {
			out = append(out, m) // the function accepts all groups
			continue
		}
		ref.holder, ref.to = holder, to
		rest := strings.Join([]string{ref.path(ref.places[0]), ref.texts("", ","), ref.namespace}, " ")
		if known := byRest[rest]; known != nil {
			known.to.kind, known.to.group = max(known.to.kind, to.kind), max(known.to.group, to.group)
			continue
		}
		byRest[rest], out = ref, append(out, ref)
	}
	for i, m := range out {
		if m.to != nil && m.to.kind == "" {
			out[i] = nil // no kind is checked
		}
	}
	if slices.Contains(out, nil) {
		return all
	}
	return out
}
