// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package index

import (
	"cmp"
	"fmt"
	"go/types"
	"slices"

	"github.com/indexer-gen/indexer-gen/generator/internal/gotypes"
	"github.com/indexer-gen/indexer-gen/generator/internal/served"
	"github.com/indexer-gen/indexer-gen/templates/model"
)

// referenceShape holds the steps from a struct that refers to its fields. Those that the struct lacks are nil.
type referenceShape struct {
	structSteps                            int // the number of steps to the struct
	nameSteps, namespaceSteps, kindSteps   []*model.Step
	groupSteps                             []*model.Step
	groupFieldName                         string // group, apiGroup or apiVersion
	isGroupTypeNamed, isNamespaceTypeNamed bool   // the field is of a named string type
	isKindTypeNamed                        bool

	kindTexts, groupTexts served.Texts // the values that the kind and the group may have

	absentMeaningByJSONName map[string]*absentMeaning // what an absent kind, group or namespace means, if the schema says it
	groupDeclarer           types.Type                // the struct that declares the field of the group
}

// isAtReference reports whether the walk is at a struct with a field name that is a string.
func (w *pathWalk) isAtReference() bool {
	st, ok := w.currentType.Underlying().(*types.Struct)
	return ok && hasJSONTextField(st, "name") && !needsKeyConversion(w.currentType)
}

// needsKeyConversion reports whether a type has keys of another type, as times have.
func needsKeyConversion(t types.Type) bool {
	part := new(model.Part)
	return assignKeyType(part, t) == "" && part.Convert != nil
}

// hasJSONTextField reports whether a struct has a field with that JSON name, which is a string or a pointer to one.
func hasJSONTextField(st *types.Struct, name string) bool {
	f, ok := findJSONField(st, name)
	return ok && gotypes.IsText(gotypes.Deref(f.Leaf().Type()))
}

// resolveReferenceStruct returns the part of the name in the struct that the walk is at.
func (w *pathWalk) resolveReferenceStruct() (*model.Part, *pathError) {
	st := w.currentType.Underlying().(*types.Struct)
	out := &referenceShape{structSteps: len(w.part.Steps), absentMeaningByJSONName: map[string]*absentMeaning{}}
	bad := func(why string) *pathError {
		return &pathError{message: fmt.Sprintf("path %s: %s", w.path, why)}
	}
	read := func(name string) (steps []*model.Step, named bool, why string) {
		if !hasJSONTextField(st, name) {
			return nil, false, ""
		}
		f, _ := findJSONField(st, name)
		if why := w.resolver.promotedUnmarshalError(w.currentType, f); why != "" {
			return nil, false, "its field " + name + ": " + why
		}
		if steps, why = w.resolver.fieldSteps(w.currentType, f, "."+name); why != "" {
			return nil, false, "its field " + name + ": " + why
		}
		t, why := dereferenceAndRecord(f.Leaf().Type(), steps[len(steps)-1])
		if why != "" {
			return nil, false, "its field " + name + " " + why
		}
		out.absentMeaningByJSONName[name] = w.resolver.absenceByDeclaration(f.Leaf(), name)
		texts := served.TextsOf(w.resolver.program, f.Leaf(), t, w.resolver.markerPackage)
		switch name {
		case "kind":
			out.kindTexts = texts
		case "apiVersion":
			for i, value := range texts.Enum {
				texts.Enum[i] = groupOfVersion(value)
			}
			texts.Enum = slices.Compact(texts.Enum)
			fallthrough
		case "group", "apiGroup":
			out.groupTexts = texts
		}
		return steps, !types.Identical(t, types.Typ[types.String]), ""
	}
	var why string
	if out.nameSteps, w.part.Text, why = read("name"); why != "" {
		return nil, bad(why)
	}
	if out.namespaceSteps, out.isNamespaceTypeNamed, why = read("namespace"); why != "" {
		return nil, bad(why)
	}
	if out.kindSteps, out.isKindTypeNamed, why = read("kind"); why != "" {
		return nil, bad(why)
	}
	for _, out.groupFieldName = range []string{"group", "apiGroup", "apiVersion"} {
		if out.groupSteps, out.isGroupTypeNamed, why = read(out.groupFieldName); why != "" {
			return nil, bad(why)
		} else if out.groupSteps != nil {
			out.groupDeclarer = w.currentType
			if f, _ := findJSONField(st, out.groupFieldName); len(f.Chain) > 1 {
				out.groupDeclarer = gotypes.Deref(f.Chain[len(f.Chain)-2].Type())
			}
			break
		}
	}
	w.part.Steps = append(w.part.Steps, out.nameSteps...)
	w.part.Type = model.GoType{Ident: model.Ident{Name: "string"}}
	w.resolver.referenceShapes[w.part] = out
	return w.part, nil
}

// unknownReferentError returns the reason why no reference is to a kind, or "".
func (s *referenceShape) unknownReferentError(to *model.Referent) string {
	if to.Kind == model.AnyKind {
		return ""
	}
	if why := s.kindTexts.Unknown(to.Kind); s.kindTexts.Enum != nil && why != "" {
		return "of the kind, " + why
	}
	if why := s.groupTexts.Unknown(to.Group); s.groupTexts.Enum != nil && why != "" {
		return "of the group, " + why
	}
	return ""
}

// kindAndGroupConditions returns the conditions that references to other kinds than to do not satisfy, and what absent
// fields mean. absent is the value of absent=, or nil; wrong says how the schema contradicts it.
func (s *referenceShape) kindAndGroupConditions(
	to, absent *model.Referent,
) (out []*model.Condition, means []model.Absence, wrong string) {
	if to.Kind == "" || to.Kind == model.AnyKind {
		return nil, nil, ""
	}
	add := func(field string, steps []*model.Step, a *absentMeaning, value func(*model.Referent) string) *model.Condition {
		a, contradicts := a.mergeStatedMeaning(field, absent, value)
		wrong = cmp.Or(wrong, contradicts)
		c := &model.Condition{
			Text: "to=" + to.String(), Steps: steps, Values: []string{value(to)}, Absent: a == nil || a.impliedValue == value(to),
			Named: s.isGroupTypeNamed,
		}
		c.Empty = c.Absent && !steps[len(steps)-1].Pointer
		out, means = append(out, c), append(means, a.describe(field))
		return c
	}
	if s.kindSteps != nil {
		add("kind", s.kindSteps, s.absentMeaningByJSONName["kind"], referentKind)
	}
	if s.groupSteps == nil {
		return out, means, wrong
	}
	c := add("group", s.groupSteps, s.absentGroup(to.Kind), referentGroup)
	c.GroupVersion = s.groupFieldName == "apiVersion"
	if to.Group == "" && !c.GroupVersion {
		c.Values = []string{"v1", "core"}
	}
	c.Empty = c.Empty || s.groupSteps[len(s.groupSteps)-1].Pointer && to.Group == ""
	return out, means, wrong
}

func referentKind(r *model.Referent) string  { return r.Kind }
func referentGroup(r *model.Referent) string { return r.Group }

// anyKindFields returns the fields of the kind in references to any kind, whose steps lead to the struct. An absent
// kind that nothing says makes no reference, and an absent group is the core group.
func (s *referenceShape) anyKindFields(
	steps []*model.Step, absent *model.Referent,
) (out *model.Open, means []model.Absence, wrong string) {
	field := func(of []*model.Step, name string, a *absentMeaning, value func(*model.Referent) string) model.OpenField {
		a, contradicts := a.mergeStatedMeaning(name, absent, value)
		if wrong = cmp.Or(wrong, contradicts); a == nil {
			a = &absentMeaning{}
		}
		means = append(means, a.describe(name))
		f := model.OpenField{Default: a.impliedValue}
		if of != nil {
			f.Part = &model.Part{Steps: slices.Concat(steps, of), Text: s.isGroupTypeNamed}
		}
		return f
	}
	out = &model.Open{Kind: field(s.kindSteps, "kind", s.absentMeaningByJSONName["kind"], referentKind)}
	out.Version = s.groupSteps != nil && s.groupFieldName == "apiVersion"
	out.Kind.Part.Text = s.isKindTypeNamed
	if len(documentedGroups[s.groupDeclarerName()]) > 1 {
		wrong = "what an absent group means depends on the kind; write to=Kind.group"
	}
	out.Group = field(s.groupSteps, "group", s.absentGroup(model.AnyKind), referentGroup)
	return out, means, wrong
}

// filterOnStructError returns the error for a filter on a struct.
func (w *pathWalk) filterOnStructError(stepIndex int) *pathError {
	before := pathOrTheTypeText(w.path[:stepIndex].String())
	if w.isAtReference() {
		return w.errorAt(stepIndex, "%s is a struct, and filters select elements of lists; to select references of one kind, "+
			"write +index:ref:name=N,path=%s,to=Kind.group", before, before)
	}
	return w.errorAt(stepIndex, "%s is a struct, and filters select elements of lists; "+
		"return the value from a function, and mark it with +index:func:name=N", before)
}
