// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package index

import (
	"cmp"
	"go/types"
	"slices"
	"strings"

	"github.com/indexer-gen/indexer-gen/generator/internal/gotypes"
	"github.com/indexer-gen/indexer-gen/templates/model"
)

// filter resolves [?(@.type=="Ready")] over a list. It returns the step that iterates over
// the elements and the step that skips those that do not match.
func (w *walk) filter(i int, list *types.Slice) (each, match *model.Step, bad *pathError) {
	each = &model.Step{Op: model.Each, Singular: gotypes.Singular(w.last)}
	elem, why := follow(list.Elem(), each)
	if why != "" {
		return nil, nil, w.fail(i, "its elements %s", why)
	}
	if _, ok := elem.Underlying().(*types.Struct); !ok {
		return nil, nil, w.fail(i, "the elements of the list are %s, and filters are for structs", w.r.show(elem))
	}
	steps, t, bad := w.filtered(i, elem)
	if bad != nil {
		return nil, nil, bad
	}
	each.Text = w.path[i].String()
	last := len(steps) - 1
	match = steps[last]
	match.Op, match.Values, match.Through = model.Match, []string{w.path[i].Value}, steps[:last]
	match.Boolean, match.Text, match.Struct = w.path[i].Boolean, "", false
	basic, _ := t.Underlying().(*types.Basic)
	isBool := basic != nil && basic.Info()&types.IsBoolean != 0
	switch field := w.path[i].Field; {
	case match.Boolean && gotypes.IsText(t):
		return nil, nil, w.fail(i, "the field %s is %s; write [?(@.%s==\"%s\")]", field, w.r.show(t), field,
			match.Values[0])
	case isBool && !match.Boolean:
		return nil, nil, w.fail(i, "the field %s is %s; write [?(@.%s==true)] or [?(@.%s==false)]", field,
			w.r.show(t), field, field)
	case !isBool && !gotypes.IsText(t):
		return nil, nil, w.fail(i, "the field %s is %s, and filters compare strings and booleans", field,
			w.r.show(t))
	}
	return each, match, nil
}

// filtered resolves the field of a filter, whose names are separated by dots. It returns the steps from the
// element to the field, and the type of the field behind a pointer.
func (w *walk) filtered(i int, elem types.Type) (steps []*model.Step, t types.Type, _ *pathError) {
	t = elem
	names := strings.Split(w.path[i].Field, ".")
	for n := range names {
		name := strings.Join(names[:n+1], ".")
		st, ok := t.Underlying().(*types.Struct)
		if !ok {
			return nil, nil, w.fail(i, "the field %s is %s and has nothing below it",
				strings.Join(names[:n], "."), w.r.show(t))
		}
		f, ok := fieldNamed(st, names[n])
		if !ok {
			bad := w.fail(i, "%s has no field %s", w.r.show(t), names[n])
			bad.similar(st, names[n], func(instead string) string {
				path := slices.Clone(w.path)
				path[i].Field = strings.Join(slices.Concat(names[:n], []string{instead}, names[n+1:]), ".")
				return path.String()
			})
			return nil, nil, bad
		}
		if bad := w.r.unresolved(f); bad != nil {
			return nil, nil, bad
		}
		names[n] = f.Shown
		selected, why := w.r.selectors(t, f, "")
		why = cmp.Or(w.r.passedOver(t, f), why)
		if why == "" {
			t, why = follow(f.Leaf().Type(), selected[len(selected)-1])
		}
		if why != "" {
			return nil, nil, w.fail(i, "the field %s cannot be compared: %s", name, why)
		}
		steps = append(steps, selected...)
	}
	w.path[i].Field = strings.Join(names, ".")
	return steps, t, nil
}
