// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package index

import (
	"go/types"
	"slices"
	"strings"

	"github.com/indexer-gen/indexer-gen/generator/internal/gotypes"
	"github.com/indexer-gen/indexer-gen/templates/model"
)

// resolveFilter resolves [?(@.type=="Ready")] over a list. It returns the step that iterates over
// the elements and the step that skips those that do not match.
func (w *pathWalk) resolveFilter(stepIndex int, list *types.Slice) (each, match *model.Step, bad *pathError) {
	each = &model.Step{Op: model.Each, Singular: gotypes.Singular(w.lastField)}
	elem, why := dereferenceAndRecord(list.Elem(), each)
	if why != "" {
		return nil, nil, w.errorAt(stepIndex, "its elements %s", why)
	}
	if _, ok := elem.Underlying().(*types.Struct); !ok {
		return nil, nil, w.errorAt(stepIndex, "the elements of the list are %s, and filters are for structs", w.resolver.typeText(elem))
	}
	match = &model.Step{Op: model.Match}
	for n, c := range w.path[stepIndex].Conditions {
		in := &pathWalk{resolver: w.resolver, path: slices.Clone(c.Path), outerWalk: w, part: &model.Part{}, currentType: elem, declaredType: elem}
		condition, bad := in.resolveCondition(c)
		if bad != nil {
			bad.offset = w.path[stepIndex].Offset
			for j := range bad.candidateHints {
				bad.candidateHints[j].path = strings.Replace(w.path.String(), "@"+c.Path.String(), bad.candidateHints[j].path, 1)
			}
			return nil, nil, bad
		}
		match.Conditions, w.path[stepIndex].Conditions[n].Path = append(match.Conditions, condition), in.path
	}
	if a, b := contradictoryConditions(match.Conditions); a != nil {
		return nil, nil, w.errorAt(stepIndex, "no element satisfies %s and %s; remove one of them", a.Text, b.Text)
	}
	each.Text = w.path[stepIndex].String()
	return each, match, nil
}
