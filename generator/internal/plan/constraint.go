// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package plan

import (
	"go/token"

	"sigs.k8s.io/controller-tools/pkg/loader"

	"github.com/indexer-gen/indexer-gen/generator/internal/load"
	"github.com/indexer-gen/indexer-gen/templates/model"
)

// setCommonBuildConstraint sets the build constraint of an emitted file to that of its types. It reports
// types with different constraints.
func (o *File) setCommonBuildConstraint(p *load.Program) {
	var first *model.Type
	for _, t := range o.Model.Types {
		root := o.Roots[t]
		own := constraintAt(o.Pkg, root.Spec.Pos())
		if root.List != nil && root.List.Name.Pkg() == o.Pkg.Types {
			if list := constraintAt(o.Pkg, root.List.Name.Pos()); list != own {
				p.Report.At(root.Spec.Name.Pos(),
					"%s is built %s, but its list %s is built %s; give their files the same //go:build line",
					t.Kind, builtWhenPhrase(own), root.List.Name.Name(), builtWhenPhrase(list))
			}
		}
		for _, ix := range t.Indexes {
			if ix.Kind != model.Funcs {
				continue
			}
			if fn := constraintAt(p.Checked[ix.Of.Path], o.Pos[ix]); fn != own {
				p.Report.At(root.Spec.Name.Pos(),
					"%s is built %s, but its index function %s is built %s; "+
						"give their files the same //go:build line",
					t.Kind, builtWhenPhrase(own), ix.Of.Name, builtWhenPhrase(fn))
			}
		}
		switch {
		case first == nil:
			first, o.Model.Constraint = t, own
		case own != o.Model.Constraint:
			p.Report.At(root.Spec.Name.Pos(),
				"%s is built %s and %s is built %s, but the code for both goes into one file; "+
					"give their files the same //go:build line, or move one to another package",
				t.Kind, builtWhenPhrase(own), first.Kind, builtWhenPhrase(o.Model.Constraint))
		}
	}
}

func builtWhenPhrase(constraint string) string {
	if constraint == "" {
		return "always"
	}
	return "if " + constraint
}

// constraintAt returns the build constraint of the file that a position is in, or "".
func constraintAt(pkg *loader.Package, pos token.Pos) string {
	for _, file := range pkg.Syntax {
		if file.FileStart <= pos && pos <= file.FileEnd {
			return load.Constraint(file)
		}
	}
	return ""
}
