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

// walk resolves one path step by step, and records the steps of the emitted code.
type walk struct {
	r    *resolver
	path fieldpath.Path
	out  *model.Part
	of   *walk // of a condition in a filter: the walk that has reached the list

	t        types.Type // the current type, behind a pointer if any
	declared types.Type // t, or the pointer to it
	last     *types.Var // the last selected field
	outer    types.Type // the struct that embeds t, if Go promotes t's fields to it
}

func (w *walk) fail(i int, format string, args ...any) *pathError {
	whole := w.path
	if w.of != nil {
		whole = w.of.path
	}
	return &pathError{offset: w.path[i].Offset,
		message: fmt.Sprintf("path %s: ", whole) + fmt.Sprintf(format, args...)}
}

// before returns the path before the i-th step.
func (w *walk) before(i int) string {
	if w.of != nil {
		return "@" + w.path[:i].String()
	}
	return w.path[:i].String()
}

// step resolves the i-th step.
func (w *walk) step(i int) *pathError {
	step, before, outer := w.path[i], w.before(i), w.outer
	w.outer = nil
	if converts(w.t) {
		return w.fail(i, "%s is a %s and has nothing below it", before, w.r.show(w.t)).or("; write %s",
			before)
	}
	var bad *pathError
	switch u := w.t.Underlying().(type) {
	case *types.Struct:
		bad = w.field(i, u, outer)
	case *types.Slice:
		if step.Kind == fieldpath.Match {
			return w.match(i, u)
		}
		bad = w.each(i, u)
	case *types.Map:
		bad = w.value(i, u)
	case *types.Array:
		if notKey(w.t, "") != "" {
			return w.fail(i,
				"%s is a %s, and paths do not lead into arrays%s", before, w.r.show(w.t), byFunction)
		}
		return w.fail(i, "%s is a %s, which is a key as a whole", before, w.r.show(w.t)).or("; write path=%s",
			before)
	case *types.Interface:
		return w.fail(i,
			"%s is the interface %s, and paths do not lead into interfaces%s", before, w.r.show(w.t),
			byFunction)
	default:
		return w.fail(i, "%s is a %s and has nothing below it", shown(before), w.r.show(w.t))
	}
	if bad != nil {
		return bad
	}
	if why := w.follow(); why != "" {
		return w.fail(i, "%s %s", w.before(i+1), why)
	}
	return nil
}

// follow dereferences the current type if it is a pointer.
func (w *walk) follow() (why string) {
	step := w.out.Steps[len(w.out.Steps)-1]
	w.declared = w.t
	w.t, why = follow(w.t, step)
	if step.Pointer {
		w.outer = nil
	}
	return why
}

// field selects a field of a struct.
func (w *walk) field(i int, u *types.Struct, outer types.Type) *pathError {
	step, before := w.path[i], w.before(i)
	named := fieldpath.Step{Kind: fieldpath.Name, Value: step.Value}.String()
	found, ok := fieldNamed(u, step.Value)
	// names with a dot need brackets
	if step.Kind == fieldpath.Match {
		return w.filteredStruct(i)
	}
	if step.Kind != fieldpath.Name && (step.Kind != fieldpath.Key || !ok || named != step.String()) {
		bad := w.fail(i, "%s is not a list or map", shown(before))
		if step.Kind == fieldpath.Key {
			bad.or("; write %s", before+"."+step.Value+w.path[i+1:].String())
		}
		return bad
	}
	if !ok {
		parent := shown(before)
		if w.of != nil {
			parent = w.r.show(w.t)
		}
		bad := w.fail(i, "%s has no field %s", parent, step.Value)
		w.r.unknownField(bad, u, before, step.Value, w.path[i+1:].String())
		return bad
	}
	w.path[i].Value = found.Shown
	step = w.path[i]
	if before == "" && ofTypeMeta(found) {
		return w.fail(i, "%s is the same for all objects, and empty in a list", step)
	}
	if bad := w.r.unresolved(found); bad != nil {
		bad.message = fmt.Sprintf("path %s: %s", w.path, bad.message)
		return bad
	}
	if why := w.r.passedOver(w.t, found); why != "" {
		return w.fail(i, "%s", why)
	}
	if outer != nil && promotes(outer, found, w.r.root.Obj().Pkg()) {
		w.out.Steps = w.out.Steps[:len(w.out.Steps)-1] // d.Name rather than d.ObjectMeta.Name
	}
	steps, why := w.r.selectors(w.t, found, step.String())
	if why != "" {
		return w.fail(i, "%s", why)
	}
	w.out.Steps = append(w.out.Steps, steps...)
	if len(steps) == 1 && len(found.Chain) == 1 && found.Leaf().Embedded() {
		w.outer = w.t
	}
	w.last, w.t = found.Leaf(), found.Leaf().Type()
	return nil
}

// match iterates over the elements of a list that satisfy a filter.
func (w *walk) match(i int, u *types.Slice) *pathError {
	each, match, bad := w.filter(i, u)
	if bad != nil {
		return bad
	}
	w.out.Steps = append(w.out.Steps, each, match)
	w.declared, w.t = u.Elem(), gotypes.Deref(u.Elem())
	return nil
}

// each iterates over the elements of a list.
func (w *walk) each(i int, u *types.Slice) *pathError {
	if before := w.before(i); w.path[i].Kind != fieldpath.All {
		rest := w.path[i:]
		if _, isMap := gotypes.Deref(u.Elem()).Underlying().(*types.Map); !isMap &&
			w.path[i].Kind == fieldpath.Key {
			rest = rest[1:] // its elements have no keys either
		}
		bad := w.fail(i, "%s is a list", before).or("; write %s", before+"[*]"+rest.String())
		bad.otherwise = "; [*] takes its elements"
		return bad
	}
	w.out.Steps = append(w.out.Steps,
		&model.Step{Op: model.Each, Text: "[*]", Singular: gotypes.Singular(w.last)})
	w.t = u.Elem()
	return nil
}

// value looks up a key of a map, or iterates over its values.
func (w *walk) value(i int, u *types.Map) *pathError {
	before := w.before(i)
	if w.r.dots && w.path[i].Kind == fieldpath.Name {
		w.path[i].Kind = fieldpath.Key
	}
	step := w.path[i]
	switch {
	case step.Kind == fieldpath.Match:
		return w.fail(i, "%s is a map, and filters select elements of lists", before)
	case step.Kind == fieldpath.Name && gotypes.IsText(u.Key()):
		return w.fail(i, "%s is a map", before).withKeys(before, step, w.path[i+1:])
	case step.Kind == fieldpath.All:
		w.out.Steps = append(w.out.Steps,
			&model.Step{Op: model.EachOfMap, Text: "[*]", Singular: gotypes.Singular(w.last)})
	case !gotypes.IsText(u.Key()):
		return w.fail(i, "the keys of %s are not strings", before).
			or("; on the type, write path=%s for all values", before+"[*]"+w.path[i+1:].String())
	default:
		w.out.Steps = append(w.out.Steps, &model.Step{Op: model.Lookup, Name: step.Value, Text: step.String(),
			Singular: gotypes.Singular(w.last)})
	}
	w.t = u.Elem()
	return nil
}

// selected returns the field whose value, or the elements of whose list, the walk is at. It returns nil for those of a map.
func (w *walk) selected() *types.Var {
	if op := w.out.Steps[len(w.out.Steps)-1].Op; op == model.Lookup || op == model.EachOfMap {
		return nil
	}
	return w.last
}

// finish returns the part that the path leads to. It iterates over a list of values.
func (w *walk) finish() (*model.Part, *pathError) {
	fail := func(format string, args ...any) *pathError {
		return &pathError{message: fmt.Sprintf("path %s: ", w.path) + fmt.Sprintf(format, args...),
			part: w.out}
	}
	r, out, path := w.r, w.out, w.path
	out.Path = path.String()
	switch u := w.t.Underlying().(type) {
	case *types.Slice:
		if bad := w.elements(u, fail); bad != nil {
			return nil, bad
		}
	case *types.Map:
		bad := fail("it is a map, and only a function with +index:func:name=N can return its keys").
			values(path.String(), u)
		if path.String() == ".metadata.labels" {
			for i := range bad.hints {
				bad.hints[i].format += "; +index:labels indexes every label by its key and value"
			}
		}
		return nil, bad
	}
	if r.references && w.refers() {
		return w.reference()
	}
	if why := setKey(out, w.t); why != "" {
		bad := fail("%s cannot be a key: %s", r.show(w.t), why)
		switch u := w.t.Underlying().(type) {
		case *types.Struct:
			if r.references {
				bad = fail("%s has no field name that is a string, and so does not refer", r.show(w.t))
			}
			bad.below(u, path.String())
		case *types.Interface:
			bad.otherwise = byFunction
		}
		return nil, bad
	}
	if why := r.hidden(w.t); why != "" {
		return nil, fail("%s", why)
	}
	if _, pointer := types.Unalias(w.declared).(*types.Named); pointer && out.Convert != nil &&
		out.Convert.Unset && !types.Identical(w.declared, w.t) {
		return nil, fail(
			"%s is a pointer type with a name, which has none of the methods of %s; declare the field as *%s",
			r.show(w.declared), r.show(w.t), r.show(w.t))
	}
	r.typeOf[out], r.fieldOf[out] = w.t, w.selected()
	return out, nil
}

// elements iterates over a list at the end of the path. It fails if the elements are no
// values.
func (w *walk) elements(u *types.Slice, fail func(string, ...any) *pathError) *pathError {
	if gotypes.IsBytes(w.t) {
		return fail(
			"%s cannot be a key: it is bytes; return them as a string from a function, "+
				"and mark it with +index:func:name=N", w.r.show(w.t))
	}
	w.out.Steps = append(w.out.Steps,
		&model.Step{Op: model.Each, Text: "[*]", Singular: gotypes.Singular(w.last)})
	w.t = u.Elem()
	if why := w.follow(); why != "" {
		return fail("its elements %s", why)
	}
	switch u := w.t.Underlying().(type) {
	case *types.Slice:
		if !gotypes.IsBytes(w.t) {
			return fail("it is a list of lists").or(
				"; on the type, write path=%s for all of them", w.path.String()+"[*]")
		}
	case *types.Map:
		return fail("it is a list of maps").values(w.path.String()+"[*]", u)
	}
	return nil
}
