// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package generator

import (
	"fmt"
	"go/types"

	"github.com/indexer-gen/indexer-gen/generator/fieldpath"
	"github.com/indexer-gen/indexer-gen/generator/model"
)

// filter resolves [?(@.type=="Ready")] over a list: the steps that run through
// its elements and that pass over those which do not match.
func (r *resolver) filter(list *types.Slice, step fieldpath.Step, singular string) (each, match *model.Step, why string) {
	each = &model.Step{Op: model.Each, Text: step.String(), Singular: singular}
	elem, why := follow(list.Elem(), each)
	if why != "" {
		return nil, nil, "its elements " + why
	}
	st, ok := elem.Underlying().(*types.Struct)
	if !ok {
		return nil, nil, fmt.Sprintf("the elements of the list are %s, and a filter is for structs", r.show(elem))
	}
	f, ok := fieldNamed(st, step.Field)
	if !ok {
		return nil, nil, fmt.Sprintf("%s has no field %s%s", r.show(elem), step.Field, r.suggest(st, "@", step.Field))
	}
	if why := r.passedOver(elem, f); why != "" {
		return nil, nil, fmt.Sprintf("the field %s cannot be asked: %s", step.Field, why)
	}
	_, pointer := f.leaf().Type().Underlying().(*types.Pointer)
	if !isText(deref(f.leaf().Type())) {
		return nil, nil, fmt.Sprintf("the field %s is %s, and a filter compares text", step.Field, r.show(f.leaf().Type()))
	}
	steps, why := r.selectors(elem, f, "")
	if why != "" {
		return nil, nil, fmt.Sprintf("the field %s cannot be asked: %s", step.Field, why)
	}
	last := len(steps) - 1
	return each, &model.Step{Op: model.Match, Name: steps[last].Name, Value: step.Value, Through: steps[:last], Pointer: pointer}, ""
}
