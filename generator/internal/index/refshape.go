// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package index

import (
	"cmp"
	"fmt"
	"go/types"
	"slices"
	"strings"

	"github.com/indexer-gen/indexer-gen/generator/internal/gotypes"
	"github.com/indexer-gen/indexer-gen/generator/internal/served"
	"github.com/indexer-gen/indexer-gen/templates/model"
)

// shape holds the steps from a struct that refers to its fields. Those that the struct lacks are nil.
type shape struct {
	at                     int // the number of steps to the struct
	name, namespace, kind  []*model.Step
	group                  []*model.Step
	groupName              string // group, apiGroup or apiVersion
	namedGroup, namedSpace bool   // the field is of a named string type
	namedKind              bool

	texts     map[string]served.Texts // the values that the kind and the group may have
	absent    map[string]*absence     // what an absent kind, group or namespace means, if the schema says it
	documents types.Type              // the struct that declares the field of the group
}

// refers reports whether the walk is at a struct with a field name that is a string.
func (w *walk) refers() bool {
	st, ok := w.t.Underlying().(*types.Struct)
	return ok && textField(st, "name") && !converts(w.t)
}

// converts reports whether a type has keys of another type, as times have.
func converts(t types.Type) bool {
	part := new(model.Part)
	return setKey(part, t) == "" && part.Convert != nil
}

// textField reports whether a struct has a field with that JSON name, which is a string or a pointer to one.
func textField(st *types.Struct, name string) bool {
	f, ok := fieldNamed(st, name)
	return ok && gotypes.IsText(gotypes.Deref(f.Leaf().Type()))
}

// reference returns the part of the name in the struct that the walk is at.
func (w *walk) reference() (*model.Part, *pathError) {
	st := w.t.Underlying().(*types.Struct)
	out := &shape{at: len(w.out.Steps), absent: map[string]*absence{}, texts: map[string]served.Texts{}}
	bad := func(why string) *pathError {
		return &pathError{message: fmt.Sprintf("path %s: %s", w.path, why)}
	}
	read := func(name string) (steps []*model.Step, named bool, why string) {
		if !textField(st, name) {
			return nil, false, ""
		}
		f, _ := fieldNamed(st, name)
		if why := w.r.passedOver(w.t, f); why != "" {
			return nil, false, "its field " + name + ": " + why
		}
		if steps, why = w.r.selectors(w.t, f, "."+name); why != "" {
			return nil, false, "its field " + name + ": " + why
		}
		t, why := follow(f.Leaf().Type(), steps[len(steps)-1])
		if why != "" {
			return nil, false, "its field " + name + " " + why
		}
		out.absent[name] = w.r.absence(f.Leaf(), name)
		if name != "name" && name != "namespace" {
			out.texts[strings.ToLower(strings.TrimPrefix(name, "api"))] = served.TextsOf(w.r.p, f.Leaf(), t, w.r.pkg)
		}
		return steps, !types.Identical(t, types.Typ[types.String]), ""
	}
	var why string
	if out.name, w.out.Text, why = read("name"); why != "" {
		return nil, bad(why)
	}
	if out.namespace, out.namedSpace, why = read("namespace"); why != "" {
		return nil, bad(why)
	}
	if out.kind, out.namedKind, why = read("kind"); why != "" {
		return nil, bad(why)
	}
	for _, out.groupName = range []string{"group", "apiGroup", "apiVersion"} {
		if out.group, out.namedGroup, why = read(out.groupName); why != "" {
			return nil, bad(why)
		} else if out.group != nil {
			out.documents = w.t
			if f, _ := fieldNamed(st, out.groupName); len(f.Chain) > 1 {
				out.documents = gotypes.Deref(f.Chain[len(f.Chain)-2].Type())
			}
			break
		}
	}
	w.out.Steps = append(w.out.Steps, out.name...)
	w.out.Type = model.GoType{Ident: model.Ident{Name: "string"}}
	w.r.referring[w.out] = out
	return w.out, nil
}

// unknownTarget returns the reason why no reference is to a kind, or "".
func (s *shape) unknownTarget(to *model.Referent) string {
	for _, field := range []struct{ name, value string }{{"kind", to.Kind}, {"group", to.Group}} {
		if texts := s.texts[field.name]; texts.Enum != nil && to.Kind != model.AnyKind {
			if why := texts.Unknown(field.value); why != "" {
				return "of the " + field.name + ", " + why
			}
		}
	}
	return ""
}

// matching returns the conditions that references to other kinds than to do not satisfy, and what absent fields
// mean. absent is the value of absent=, or nil; wrong says how the schema contradicts it.
func (s *shape) matching(
	to, absent *model.Referent,
) (out []*model.Condition, means []model.Absence, wrong string) {
	if to.Kind == "" || to.Kind == model.AnyKind {
		return nil, nil, ""
	}
	add := func(field string, steps []*model.Step, a *absence, value func(*model.Referent) string) *model.Condition {
		a, contradicts := a.or(field, absent, value)
		wrong = cmp.Or(wrong, contradicts)
		c := &model.Condition{
			Text: "to=" + to.String(), Steps: steps, Values: []string{value(to)}, Absent: a == nil || a.value == value(to), Named: s.namedGroup,
		}
		c.Empty = c.Absent && !steps[len(steps)-1].Pointer
		out, means = append(out, c), append(means, a.means(field))
		return c
	}
	if s.kind != nil {
		add("kind", s.kind, s.absent["kind"], kindOf)
	}
	if s.group == nil {
		return out, means, wrong
	}
	c := add("group", s.group, s.absentGroup(to.Kind), groupOf)
	c.GroupVersion = s.groupName == "apiVersion"
	if to.Group == "" && !c.GroupVersion {
		c.Values = []string{"v1", "core"}
	}
	c.Empty = c.Empty || s.group[len(s.group)-1].Pointer && to.Group == ""
	return out, means, wrong
}

func kindOf(r *model.Referent) string  { return r.Kind }
func groupOf(r *model.Referent) string { return r.Group }

// open returns the fields of the kind in references to any kind, whose steps lead to the struct. An absent kind that
// nothing says makes no reference, and an absent group is the core group.
func (s *shape) open(
	steps []*model.Step, absent *model.Referent,
) (out *model.Open, means []model.Absence, wrong string) {
	field := func(of []*model.Step, name string, a *absence, value func(*model.Referent) string) model.OpenField {
		a, contradicts := a.or(name, absent, value)
		if wrong = cmp.Or(wrong, contradicts); a == nil {
			a = &absence{}
		}
		means = append(means, a.means(name))
		f := model.OpenField{Default: a.value}
		if of != nil {
			f.Part = &model.Part{Steps: slices.Concat(steps, of), Text: s.namedGroup}
		}
		return f
	}
	out = &model.Open{Kind: field(s.kind, "kind", s.absent["kind"], kindOf), Version: s.group != nil && s.groupName == "apiVersion"}
	out.Kind.Part.Text = s.namedKind
	if len(documented[s.documentedBy()]) > 1 {
		wrong = "what an absent group means depends on the kind; write to=Kind.group"
	}
	out.Group = field(s.group, "group", s.absentGroup(model.AnyKind), groupOf)
	return out, means, wrong
}

// filteredStruct returns the error for a filter on a struct.
func (w *walk) filteredStruct(i int) *pathError {
	before := shown(w.path[:i].String())
	if w.refers() {
		return w.fail(i, "%s is a struct, and filters select elements of lists; to select references of one kind, "+
			"write +index:ref:name=N,path=%s,to=Kind.group", before, before)
	}
	return w.fail(i, "%s is a struct, and filters select elements of lists; "+
		"return the value from a function, and mark it with +index:func:name=N", before)
}
