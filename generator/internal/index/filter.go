// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package index

import (
	"cmp"
	"go/types"
	"slices"
	"strings"

	"github.com/indexer-gen/indexer-gen/generator/internal/fieldpath"
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
	match = &model.Step{Op: model.Match}
	for n := range w.path[i].Conditions {
		c, bad := w.filtered(i, n, elem)
		if bad != nil {
			return nil, nil, bad
		}
		match.Conditions = append(match.Conditions, c)
	}
	each.Text = w.path[i].String()
	return each, match, nil
}

// filtered resolves the n-th condition of a filter.
func (w *walk) filtered(i, n int, t types.Type) (*model.Condition, *pathError) {
	var steps []*model.Step
	condition := &w.path[i].Conditions[n]
	var names []string
	for _, step := range condition.Path {
		if step.Kind != fieldpath.Name {
			return nil, w.fail(i, "%s is no field; the conditions of filters are on fields of structs", step)
		}
		names = append(names, step.Value)
	}
	for n := range names {
		name := strings.Join(names[:n+1], ".")
		st, ok := t.Underlying().(*types.Struct)
		if !ok {
			return nil, w.fail(i, "the field %s is %s and has nothing below it",
				strings.Join(names[:n], "."), w.r.show(t))
		}
		f, ok := fieldNamed(st, names[n])
		if !ok {
			bad := w.fail(i, "%s has no field %s", w.r.show(t), names[n])
			before, after, _ := strings.Cut(w.path.String(), condition.Text("@"))
			bad.similar(st, names[n], func(instead string) string {
				c := *condition
				c.Path = slices.Clone(c.Path)
				c.Path[n].Value = instead
				return before + c.Text("@") + after
			})
			return nil, bad
		}
		if bad := w.r.unresolved(f); bad != nil {
			return nil, bad
		}
		names[n], condition.Path[n].Value = f.Shown, f.Shown
		selected, why := w.r.selectors(t, f, "")
		why = cmp.Or(w.r.passedOver(t, f), why)
		if why == "" {
			t, why = follow(f.Leaf().Type(), selected[len(selected)-1])
		}
		if why != "" {
			return nil, w.fail(i, "the field %s cannot be compared: %s", name, why)
		}
		steps = append(steps, selected...)
	}
	c, why := compared(w.r, *condition, "@", steps, t)
	if why != "" {
		return nil, w.fail(i, "the field %s %s", strings.Join(names, "."), why)
	}
	return c, nil
}
