// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package migrate

import (
	"fmt"
	"slices"
	"strings"

	"github.com/indexer-gen/indexer-gen/generator/internal/gotypes"
)

// instead returns one value for two items: the value of other, with the value of it as the default if a holds. It
// returns nil if the items differ in more than that.
func (it item) instead(a atom, other item) value {
	ofLoop := func(steps []step) bool {
		i := lastLoop(steps)
		return a.op == noMatch && i >= 0 && fmt.Sprint(steps[i].loop) == a.value
	}
	conds := slices.DeleteFunc(slices.Clone(other.conds), func(b atom) bool {
		return ofLoop(b.at) && slices.ContainsFunc(a.list.match(), b.is)
	})
	parts, theirs := partsOf(it.value), partsOf(other.value)
	if len(theirs) == 1 {
		parts = []value{it.value}
	}
	if a.op == equals || len(parts) != len(theirs) || !follow(conds, append(slices.Clone(it.conds), a)) || !follow(it.conds, conds) {
		return nil
	}
	i := 0
	for i < len(parts)-1 && same(parts[i], theirs[i]) {
		i++
	}
	if !slices.EqualFunc(parts[i+1:], theirs[i+1:], same) {
		return nil
	}
	switch p := theirs[i].(type) {
	case *place:
		if ofLoop(p.steps) || p.absentIf(a) && (lastLoop(p.steps) < 0 || len(parts) > 1) {
			return joined(slices.Concat(theirs[:i], []value{&choice{p, parts[i], a.op != isEmpty}}, theirs[i+1:]))
		}
	case *choice:
		if p.first.absentIf(a) && same(p.otherwise, parts[i]) {
			return other.value
		}
	}
	return nil
}

// absentIf reports whether a place has no value if a holds, and else has one.
func (p *place) absentIf(a atom) bool {
	if a.op == isNil && under(p.steps, a.at) {
		return !slices.ContainsFunc(p.steps[len(a.at):], func(s step) bool { return s.key || s.loop > 0 })
	}
	return slices.Equal(p.steps, a.at)
}

func partsOf(v value) []value {
	if t, ok := v.(*text); ok {
		return t.parts
	}
	return []value{v}
}

func isOwnNamespace(p *place) bool { return pathText(p.steps) == ".metadata.namespace" }

// own reports whether the namespace in the key has the object's own as its default.
func (t *term) own() bool {
	if t.choice == nil || len(t.places) != 2 || t.choice.first != t.places[0] {
		return false
	}
	p, ok := t.choice.otherwise.(*place)
	return ok && isOwnNamespace(p)
}

// reference reports whether the key is the namespace and name of an object.
func (t *term) reference() bool {
	return len(t.places) == 2 && t.shape()[1:] == "\x00/\x00"[1:] && gotypes.IsText(gotypes.Deref(t.last().typ)) &&
		(t.own() || isOwnNamespace(t.places[0])) && pathText(t.last().steps) != ".metadata.name"
}

// refers reports whether the key is a struct that has a name, and a namespace if the key has it, and a kind if that is
// checked.
func (t *term) refers() bool {
	name := t.last()
	if name.holder() == nil || len(name.steps) < 2 || name.steps[len(name.steps)-1].name != "name" {
		return false
	}
	holder, _ := gotypes.StructOf(name.holder().typ)
	for _, f := range gotypes.JSONFields(holder) {
		if t.to == "" && !slices.Contains([]string{"name", "namespace", "key", "optional"}, f.Name) || f.Name == "apiVersion" {
			return false
		}
	}
	_, ok := jsonField(holder, "namespace")
	return ok == t.own() && (!ok || slices.Equal(t.places[0].steps[:len(t.places[0].steps)-1], name.holder().steps))
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
		key := fmt.Sprint(rest, t.own(), t.places[len(t.places)-1].steps)
		if byRest[key] == nil {
			order = append(order, key)
		}
		byRest[key] = append(byRest[key], t)
	}
	for _, key := range order {
		group := byRest[key]
		t := *group[0]
		if t.to = to(group); t.to == "" || !t.reference() || !t.refers() {
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
	if len(a.at) != n+1 || n < 1 || !slices.Equal(a.at[:n], name[:n]) {
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
		f, ok := jsonField(name.holder().typ, field)
		if field == "group" && !ok {
			f, ok = jsonField(name.holder().typ, "apiGroup")
		}
		said := accepted[field]
		empty, none := said["empty"], said["absent"] || said["empty"]
		delete(said, "empty")
		delete(said, "absent")
		core := field == "group" && empty && len(said) == 0
		if !ok || said[""] || none != f.Absent && !core || len(said) != 1 && !core || empty && isPointer(f.Leaf().Type()) && !core {
			return ""
		}
		absent = absent || f.Absent
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
