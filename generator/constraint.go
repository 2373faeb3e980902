// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package generator

import (
	"go/ast"
	"go/build/constraint"
	"go/token"

	"github.com/indexer-gen/indexer-gen/generator/model"
)

// constrain gives an emitted file the build constraint that the types in it have,
// for it does not compile where they are not. One file cannot have two.
func (o *planned) constrain(p *program) {
	var first *model.Type
	for _, t := range o.model.Types {
		root := o.roots[t]
		own := constraintAt(o.pkg.Syntax, root.spec.Pos())
		if root.list != nil && root.list.name.Pkg() == o.pkg.Types {
			if list := constraintAt(o.pkg.Syntax, root.list.name.Pos()); list != own {
				p.report.at(root.spec.Name.Pos(), "%s is built %s, and its list %s %s; give their files the same //go:build line",
					t.Kind, when(own), root.list.name.Name(), when(list))
			}
		}
		switch {
		case first == nil:
			first, o.model.Constraint = t, own
		case own != o.model.Constraint:
			p.report.at(root.spec.Name.Pos(), "%s is built %s, and %s %s, but the code for both goes into one file; give their files the same //go:build line, or move one to another package",
				t.Kind, when(own), first.Kind, when(o.model.Constraint))
		}
	}
}

func when(constraint string) string {
	if constraint == "" {
		return "always"
	}
	return "if " + constraint
}

// constraintAt returns the build constraint of the file that a position is in, or
// "".
func constraintAt(files []*ast.File, pos token.Pos) string {
	for _, file := range files {
		if pos < file.FileStart || file.FileEnd < pos {
			continue
		}
		for _, group := range file.Comments {
			if group.Pos() > file.Package {
				break
			}
			for _, c := range group.List {
				if !constraint.IsGoBuild(c.Text) {
					continue
				}
				if expr, err := constraint.Parse(c.Text); err == nil {
					return expr.String()
				}
			}
		}
	}
	return ""
}
