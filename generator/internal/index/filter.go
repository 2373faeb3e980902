// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package index

import (
	"go/types"
	"slices"

	"github.com/indexer-gen/indexer-gen/generator/internal/gotypes"
	"github.com/indexer-gen/indexer-gen/templates/model"
)

// filter resolves [?(@.type=="Ready")] over a list. It returns the step that iterates over
// the elements and the step that skips those that do not match.
func (w *walk) filter(i int, list *types.Slice) (each, match *model.Step, bad *pathError) {
	r, name := w.r, w.path[i].Field
	fail := func(format string, args ...any) (*model.Step, *model.Step, *pathError) {
		return nil, nil, w.fail(i, format, args...)
	}
	each = &model.Step{Op: model.Each, Singular: gotypes.Singular(w.last)}
	elem, why := follow(list.Elem(), each)
	if why != "" {
		return fail("its elements %s", why)
	}
	st, ok := elem.Underlying().(*types.Struct)
	if !ok {
		return fail("the elements of the list are %s, and filters are for structs", r.show(elem))
	}
	f, ok := fieldNamed(st, name)
	if !ok {
		bad := w.fail(i, "%s has no field %s", r.show(elem), name)
		bad.similar(st, name, func(instead string) string {
			path := slices.Clone(w.path)
			path[i].Field = instead
			return path.String()
		})
		return nil, nil, bad
	}
	w.path[i].Field = f.Shown
	each.Text = w.path[i].String()
	if why := r.passedOver(elem, f); why != "" {
		return fail("the field %s cannot be compared: %s", name, why)
	}
	_, pointer := f.Leaf().Type().Underlying().(*types.Pointer)
	if !gotypes.IsText(gotypes.Deref(f.Leaf().Type())) {
		return fail("the field %s is %s, and filters compare strings", name, r.show(f.Leaf().Type()))
	}
	steps, why := r.selectors(elem, f, "")
	if why != "" {
		return fail("the field %s cannot be compared: %s", name, why)
	}
	last := len(steps) - 1
	match = &model.Step{
		Op: model.Match, Name: steps[last].Name, Value: w.path[i].Value, Through: steps[:last],
		Pointer: pointer,
	}
	return each, match, nil
}
