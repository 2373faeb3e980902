// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package migrate

import (
	"fmt"
	"slices"
	"strings"
)

// defaulted finds pairs of keys of which one is the other with a default for an absent part. It returns terms without
// the defaults of others.
func defaulted(items []item) (out []*term) {
	var terms []*term
	for _, it := range items {
		terms = append(terms, newTerm(it))
	}
	gone := map[*term]bool{}
	for _, t := range terms {
		for _, o := range terms {
			if t == o || gone[t] || gone[o] || t.otherwise != nil || t.own {
				continue
			}
			var by value
			switch {
			case len(t.places) == 1 && len(o.places) == 1 && t.shape() == o.shape():
				by = o.places[0]
			case len(t.places) == 1 && len(o.places) == 0 && strings.HasPrefix(o.text[0], t.text[0]) && strings.HasSuffix(o.text[0], t.text[1]):
				by = literal(strings.TrimSuffix(strings.TrimPrefix(o.text[0], t.text[0]), t.text[1]))
			case len(t.places) == 2 && t.shape() == o.shape() && isOwnNamespace(o.places[0]) && same(t.places[1], o.places[1]):
				by = o.places[0]
			default:
				continue
			}
			rest, ok := t.without(o)
			if !ok {
				continue
			}
			gone[o], t.conds = true, rest
			if len(t.places) == 2 {
				t.own = true
			} else {
				t.otherwise = by
				t.weak = !slices.ContainsFunc(o.conds, func(a atom) bool { return a.op == isEmpty && slices.Equal(a.at, t.places[0].steps) })
			}
		}
	}
	return slices.DeleteFunc(terms, func(t *term) bool { return gone[t] })
}

// without returns the conditions of t without those on its first place, if o has the same, and one that the place is
// absent.
func (t *term) without(o *term) ([]atom, bool) {
	p := t.places[0].steps
	search := ""
	if i := lastLoop(p); i >= 0 {
		search = fmt.Sprint(p[i].loop)
	}
	about := func(a atom) bool { return slices.Equal(a.at, p) || a.op == noMatch && a.value == search }
	if !slices.ContainsFunc(o.conds, func(a atom) bool { return about(a) && (a.absent() || a.op == noMatch && !a.not) }) {
		return nil, false
	}
	mine := slices.DeleteFunc(slices.Clone(t.conds), about)
	rest := slices.DeleteFunc(slices.Clone(o.conds), about)
	var elsewhere []atom // without those on the element that matches
	for _, a := range mine {
		if i := lastLoop(a.at); len(rest) == len(o.conds) || i < 0 || fmt.Sprint(a.at[i].loop) != search || !slices.ContainsFunc(o.conds, func(a atom) bool { return a.op == noMatch }) {
			elsewhere = append(elsewhere, a)
		}
	}
	return mine, follow(elsewhere, rest) && follow(rest, elsewhere)
}

func isOwnNamespace(p *place) bool { return pathText(p.steps, nil) == ".metadata.namespace" }

// reference reports whether the key is the namespace and name of an object.
func (t *term) reference() bool {
	return len(t.places) == 2 && t.shape()[1:] == "\x00/\x00"[1:] && isString(deref(t.last().typ)) &&
		(t.own || isOwnNamespace(t.places[0])) && pathText(t.last().steps, nil) != ".metadata.name"
}

// refers reports whether the key is a struct that has a name, and a namespace if the key has it, and a kind if that is
// checked.
func (t *term) refers() bool {
	name := t.last()
	if name.holder() == nil || len(name.steps) < 2 || name.steps[len(name.steps)-1].name != "name" {
		return false
	}
	fields := jsonFields(name.holder().typ)
	for field := range fields {
		if t.to == "" && !slices.Contains([]string{"name", "namespace", "key", "optional"}, field) || field == "apiVersion" {
			return false
		}
	}
	_, ok := fields["namespace"]
	return ok == t.own && (!t.own || slices.Equal(t.places[0].steps[:len(t.places[0].steps)-1], name.holder().steps))
}

// targeted replaces conditions on the kind and group of references by to= and absent=, if all terms have them and
// each checks both. Terms that differ only in these become one.
func targeted(terms []*term) []*term {
	var out []*term
	byRest := map[string][]*term{}
	var order []string
	for _, t := range terms {
		var rest []string
		for _, a := range t.conds {
			if t.target(a) == "" {
				rest = append(rest, fmt.Sprint(a.at, a.op, a.value, a.not))
			}
		}
		slices.Sort(rest)
		key := fmt.Sprint(rest, t.own, t.places[len(t.places)-1].steps)
		if byRest[key] == nil {
			order = append(order, key)
		}
		byRest[key] = append(byRest[key], t)
	}
	for _, key := range order {
		same := byRest[key]
		t := *same[0]
		if t.to = to(same); t.to == "" || !t.reference() || !t.refers() {
			return terms
		}
		t.conds = slices.DeleteFunc(slices.Clone(t.conds), func(a atom) bool { return t.target(a) != "" })
		out = append(out, &t)
	}
	return out
}

// target returns which field of the reference a condition is on: kind, group, or none.
func (t *term) target(a atom) string {
	name := t.last().steps
	n := len(name) - 1
	if len(a.at) != n+1 || n < 1 || !slices.Equal(a.at[:n], name[:n]) || a.op == hasKey {
		return ""
	}
	switch field := a.at[n].name; field {
	case "kind":
		return field
	case "group", "apiGroup":
		return "group"
	}
	return ""
}

// to returns the options for terms that differ only in conditions on the kind and the group, or "".
func to(terms []*term) string {
	name := terms[0].last()
	if name.holder() == nil {
		return ""
	}
	fields := jsonFields(name.holder().typ)
	accepted := map[string]map[string]bool{"kind": {}, "group": {}}
	for _, t := range terms {
		one := map[string]string{"kind": "", "group": ""}
		for _, a := range t.conds {
			field := t.target(a)
			switch {
			case field == "":
			case one[field] != "" || a.not || a.op == isNil && !isPointer(a.typ):
				return "" // several conditions, or the opposite of one
			case a.op == equals:
				one[field] = a.value
			default:
				one[field] = map[op]string{isNil: "absent", isEmpty: "empty"}[a.op]
			}
		}
		accepted["kind"][one["kind"]], accepted["group"][one["group"]] = true, true
	}
	if len(accepted["kind"])*len(accepted["group"]) != len(terms) {
		return ""
	}
	values, absent := map[string]string{"group": ""}, false
	for _, field := range []string{"kind", "group"} {
		f, ok := fields[field]
		if field == "group" && !ok {
			f, ok = fields["apiGroup"]
		}
		said := accepted[field]
		empty, none := said["empty"], said["absent"] || said["empty"]
		delete(said, "empty")
		delete(said, "absent")
		core := field == "group" && empty && len(said) == 0
		if !ok || said[""] || none != f.optional && !core || len(said) != 1 && !core || empty && f.pointer && !core {
			return ""
		}
		absent = absent || f.optional
		for v := range said {
			values[field] = "." + strings.Trim(v, `"`)
		}
	}
	of := values["kind"][1:] + values["group"]
	out := ",to=" + of
	if absent {
		out += ",absent=" + of
	}
	if values["group"] != "" {
		out += ",scope=Namespaced"
	}
	return out
}
