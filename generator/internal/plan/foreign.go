// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package plan

import (
	"slices"

	"github.com/indexer-gen/indexer-gen/generator/internal/load"
	"github.com/indexer-gen/indexer-gen/templates/model"
)

// refuseUnsupportedByTarget reports what the target of the file cannot do: caches of other projects have string
// keys without an order, and controller-runtime lists objects into a list type.
func (o *File) refuseUnsupportedByTarget(p *load.Program) {
	if !o.Model.Target.Foreign() {
		return
	}
	for _, t := range o.Model.Types {
		for _, ix := range t.Indexes {
			if ix.Ordered {
				p.Report.At(o.Pos[ix],
					"the index %s of %s is ordered, and -target=%s has no ranges, because its keys are strings; "+
						"remove ordered=true, or use -target=native", ix.Name, t.Kind, o.Model.Target)
			}
			if ix.Composite() && slices.ContainsFunc(ix.Parts, (*model.Part).IsQuantity) {
				p.Report.At(o.Pos[ix],
					"the index %s of %s has a quantity as a part of its key, which -target=%s cannot encode; "+
						"index the quantity by a path of its own, or use -target=native", ix.Name, t.Kind, o.Model.Target)
			}
		}
		if o.Model.Target == model.ControllerRuntime && t.List == nil && len(t.Indexes) > 0 {
			p.Report.At(o.Roots[t].Spec.Name.Pos(),
				"%s has no list type, and -target=%s reads objects with one; declare %sList with an Items "+
					"[]%s field, or use -target=native", t.Kind, o.Model.Target, t.Kind, t.Kind)
		}
	}
}
