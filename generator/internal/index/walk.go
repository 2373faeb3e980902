// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package index

import (
	"fmt"
	"go/types"

	"github.com/indexer-gen/indexer-gen/generator/internal/fieldpath"
	"github.com/indexer-gen/indexer-gen/generator/internal/gotypes"
	"github.com/indexer-gen/indexer-gen/templates/model"
)

// pathWalk resolves one path step by step, and records the steps of the emitted code.
type pathWalk struct {
	resolver  *resolver
	path      fieldpath.Path
	part      *model.Part
	outerWalk *pathWalk // of a condition in a filter: the walk that has reached the list

	currentType     types.Type // the current type, behind a pointer if any
	declaredType    types.Type // the same, or the pointer to it
	lastField       *types.Var // the last selected field
	promotingStruct types.Type // the struct that embeds it, if Go promotes its fields
}

func (w *pathWalk) errorAt(stepIndex int, format string, args ...any) *pathError {
	whole := w.path
	if w.outerWalk != nil {
		whole = w.outerWalk.path
	}
	return &pathError{offset: w.path[stepIndex].Offset,
		message: fmt.Sprintf("path %s: ", whole) + fmt.Sprintf(format, args...)}
}

// pathBefore returns the path before the i-th step.
func (w *pathWalk) pathBefore(stepIndex int) string {
	if w.outerWalk != nil {
		return "@" + w.path[:stepIndex].String()
	}
	return w.path[:stepIndex].String()
}

// takeStep resolves the i-th step.
func (w *pathWalk) takeStep(stepIndex int) *pathError {
	step, before, outer := w.path[stepIndex], w.pathBefore(stepIndex), w.promotingStruct
	w.promotingStruct = nil
	if needsKeyConversion(w.currentType) {
		return w.errorAt(stepIndex, "%s is a %s and has nothing below it", before, w.resolver.typeText(w.currentType)).addCandidateHint("; write %s",
			before)
	}
	var bad *pathError
	switch u := w.currentType.Underlying().(type) {
	case *types.Struct:
		bad = w.takeFieldStep(stepIndex, u, outer)
	case *types.Slice:
		if step.Kind == fieldpath.Match {
			return w.takeFilterStep(stepIndex, u)
		}
		bad = w.takeElementsStep(stepIndex, u)
	case *types.Map:
		bad = w.takeMapStep(stepIndex, u)
	case *types.Array:
		if keyError(w.currentType, "") != "" {
			return w.errorAt(stepIndex,
				"%s is a %s, and paths do not lead into arrays%s", before, w.resolver.typeText(w.currentType), byFunctionHint)
		}
		return w.errorAt(stepIndex, "%s is a %s, which is a key as a whole", before, w.resolver.typeText(w.currentType)).addCandidateHint("; write path=%s",
			before)
	case *types.Interface:
		return w.errorAt(stepIndex,
			"%s is the interface %s, and paths do not lead into interfaces%s", before, w.resolver.typeText(w.currentType),
			byFunctionHint)
	default:
		return w.errorAt(stepIndex, "%s is a %s and has nothing below it", pathOrTheTypeText(before), w.resolver.typeText(w.currentType))
	}
	if bad != nil {
		return bad
	}
	if why := w.dereferenceCurrentType(); why != "" {
		return w.errorAt(stepIndex, "%s %s", w.pathBefore(stepIndex+1), why)
	}
	return nil
}

// dereferenceCurrentType dereferences the current type if it is a pointer.
func (w *pathWalk) dereferenceCurrentType() (why string) {
	step := w.part.Steps[len(w.part.Steps)-1]
	w.declaredType = w.currentType
	w.currentType, why = dereferenceAndRecord(w.currentType, step)
	if step.Pointer {
		w.promotingStruct = nil
	}
	return why
}

// takeFieldStep selects a field of a struct.
func (w *pathWalk) takeFieldStep(stepIndex int, u *types.Struct, promotingStruct types.Type) *pathError {
	step, before := w.path[stepIndex], w.pathBefore(stepIndex)
	named := fieldpath.Step{Kind: fieldpath.Name, Value: step.Value}.String()
	found, ok := findJSONField(u, step.Value)
	// names with a dot need brackets
	if step.Kind == fieldpath.Match {
		return w.filterOnStructError(stepIndex)
	}
	if step.Kind != fieldpath.Name && (step.Kind != fieldpath.Key || !ok || named != step.String()) {
		bad := w.errorAt(stepIndex, "%s is not a list or map", pathOrTheTypeText(before))
		if step.Kind == fieldpath.Key {
			bad.addCandidateHint("; write %s", before+"."+step.Value+w.path[stepIndex+1:].String())
		}
		return bad
	}
	if !ok {
		parent := pathOrTheTypeText(before)
		if w.outerWalk != nil {
			parent = w.resolver.typeText(w.currentType)
		}
		bad := w.errorAt(stepIndex, "%s has no field %s", parent, step.Value)
		w.resolver.addUnknownFieldReason(bad, u, before, step.Value, w.path[stepIndex+1:].String())
		return bad
	}
	w.path[stepIndex].Value = found.Shown
	step = w.path[stepIndex]
	if before == "" && ofTypeMeta(found) {
		return w.errorAt(stepIndex, "%s is the same for all objects, and empty in a list", step)
	}
	if bad := w.resolver.unresolvedTypeError(found); bad != nil {
		bad.message = fmt.Sprintf("path %s: %s", w.path, bad.message)
		return bad
	}
	if why := w.resolver.promotedUnmarshalError(w.currentType, found); why != "" {
		return w.errorAt(stepIndex, "%s", why)
	}
	if promotingStruct != nil && canSelectPromotedField(promotingStruct, found, w.resolver.root.Obj().Pkg()) {
		w.part.Steps = w.part.Steps[:len(w.part.Steps)-1] // d.Name rather than d.ObjectMeta.Name
	}
	steps, why := w.resolver.fieldSteps(w.currentType, found, step.String())
	if why != "" {
		return w.errorAt(stepIndex, "%s", why)
	}
	w.part.Steps = append(w.part.Steps, steps...)
	if len(steps) == 1 && len(found.Chain) == 1 && found.Leaf().Embedded() {
		w.promotingStruct = w.currentType
	}
	w.lastField, w.currentType = found.Leaf(), found.Leaf().Type()
	return nil
}

// takeFilterStep iterates over the elements of a list that satisfy a filter.
func (w *pathWalk) takeFilterStep(stepIndex int, u *types.Slice) *pathError {
	each, match, bad := w.resolveFilter(stepIndex, u)
	if bad != nil {
		return bad
	}
	w.part.Steps = append(w.part.Steps, each, match)
	w.declaredType, w.currentType = u.Elem(), gotypes.Deref(u.Elem())
	return nil
}

// takeElementsStep iterates over the elements of a list.
func (w *pathWalk) takeElementsStep(stepIndex int, u *types.Slice) *pathError {
	if before := w.pathBefore(stepIndex); w.path[stepIndex].Kind != fieldpath.All {
		rest := w.path[stepIndex:]
		if _, isMap := gotypes.Deref(u.Elem()).Underlying().(*types.Map); !isMap &&
			w.path[stepIndex].Kind == fieldpath.Key {
			rest = rest[1:] // its elements have no keys either
		}
		bad := w.errorAt(stepIndex, "%s is a list", before).addCandidateHint("; write %s", before+"[*]"+rest.String())
		bad.defaultAdvice = "; [*] takes its elements"
		return bad
	}
	w.part.Steps = append(w.part.Steps,
		&model.Step{Op: model.Each, Text: "[*]", Singular: gotypes.Singular(w.lastField)})
	w.currentType = u.Elem()
	return nil
}

// takeMapStep looks up a key of a map, or iterates over its values.
func (w *pathWalk) takeMapStep(stepIndex int, u *types.Map) *pathError {
	before := w.pathBefore(stepIndex)
	if w.resolver.allowsMapKeyAfterDot && w.path[stepIndex].Kind == fieldpath.Name {
		w.path[stepIndex].Kind = fieldpath.Key
	}
	step := w.path[stepIndex]
	switch {
	case step.Kind == fieldpath.Match:
		return w.errorAt(stepIndex, "%s is a map, and filters select elements of lists", before)
	case step.Kind == fieldpath.Name && gotypes.IsText(u.Key()):
		return w.errorAt(stepIndex, "%s is a map", before).hintBrackets(before, step, w.path[stepIndex+1:])
	case step.Kind == fieldpath.All:
		w.part.Steps = append(w.part.Steps,
			&model.Step{Op: model.EachOfMap, Text: "[*]", Singular: gotypes.Singular(w.lastField)})
	case !gotypes.IsText(u.Key()):
		return w.errorAt(stepIndex, "the keys of %s are not strings", before).
			addCandidateHint("; on the type, write path=%s for all values", before+"[*]"+w.path[stepIndex+1:].String())
	default:
		w.part.Steps = append(w.part.Steps, &model.Step{Op: model.Lookup, Name: step.Value, Text: step.String(),
			Singular: gotypes.Singular(w.lastField)})
	}
	w.currentType = u.Elem()
	return nil
}

// currentValueField returns the field whose value, or the elements of whose list, the walk is at. It returns nil for
// those of a map.
func (w *pathWalk) currentValueField() *types.Var {
	if op := w.part.Steps[len(w.part.Steps)-1].Op; op == model.Lookup || op == model.EachOfMap {
		return nil
	}
	return w.lastField
}

// finishPart returns the part that the path leads to. It iterates over a list of values.
func (w *pathWalk) finishPart() (*model.Part, *pathError) {
	fail := func(format string, args ...any) *pathError {
		return &pathError{message: fmt.Sprintf("path %s: ", w.path) + fmt.Sprintf(format, args...),
			nonKeyPart: w.part}
	}
	r, out, path := w.resolver, w.part, w.path
	out.Path = path.String()
	switch u := w.currentType.Underlying().(type) {
	case *types.Slice:
		if bad := w.takeFinalElements(u, fail); bad != nil {
			return nil, bad
		}
	case *types.Map:
		bad := fail("it is a map, and only a function with +index:func:name=N can return its keys").
			hintMapValues(path.String(), u)
		if path.String() == ".metadata.labels" {
			for i := range bad.candidateHints {
				bad.candidateHints[i].format += "; +index:labels indexes every label by its key and value"
			}
		}
		return nil, bad
	}
	if r.allowsReferenceStructs && w.isAtReference() {
		return w.resolveReferenceStruct()
	}
	if why := assignKeyType(out, w.currentType); why != "" {
		bad := fail("%s cannot be a key: %s", r.typeText(w.currentType), why)
		switch u := w.currentType.Underlying().(type) {
		case *types.Struct:
			if r.allowsReferenceStructs {
				bad = fail("%s has no field name that is a string, and so does not refer", r.typeText(w.currentType))
			}
			bad.hintIndexableFields(u, path.String())
		case *types.Interface:
			bad.defaultAdvice = byFunctionHint
		}
		return nil, bad
	}
	if why := r.unnameableTypeError(w.currentType); why != "" {
		return nil, fail("%s", why)
	}
	if _, pointer := types.Unalias(w.declaredType).(*types.Named); pointer && out.Convert != nil &&
		out.Convert.Unset && !types.Identical(w.declaredType, w.currentType) {
		return nil, fail(
			"%s is a pointer type with a name, which has none of the methods of %s; declare the field as *%s",
			r.typeText(w.declaredType), r.typeText(w.currentType), r.typeText(w.currentType))
	}
	r.valueTypes[out], r.valueFields[out] = w.currentType, w.currentValueField()
	return out, nil
}

// takeFinalElements iterates over a list at the end of the path. It fails if the elements are no
// values.
func (w *pathWalk) takeFinalElements(u *types.Slice, fail func(string, ...any) *pathError) *pathError {
	if gotypes.IsBytes(w.currentType) {
		return fail(
			"%s cannot be a key: it is bytes; return them as a string from a function, "+
				"and mark it with +index:func:name=N", w.resolver.typeText(w.currentType))
	}
	w.part.Steps = append(w.part.Steps,
		&model.Step{Op: model.Each, Text: "[*]", Singular: gotypes.Singular(w.lastField)})
	w.currentType = u.Elem()
	if why := w.dereferenceCurrentType(); why != "" {
		return fail("its elements %s", why)
	}
	switch u := w.currentType.Underlying().(type) {
	case *types.Slice:
		if !gotypes.IsBytes(w.currentType) {
			return fail("it is a list of lists").addCandidateHint(
				"; on the type, write path=%s for all of them", w.path.String()+"[*]")
		}
	case *types.Map:
		return fail("it is a list of maps").hintMapValues(w.path.String()+"[*]", u)
	}
	return nil
}
