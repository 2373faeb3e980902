// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package generator

import (
	"go/token"
	"path/filepath"
	"slices"
	"strings"

	"sigs.k8s.io/controller-tools/pkg/loader"

	"github.com/indexer-gen/indexer-gen/templates/model"
)

// constrain gives an emitted file the build constraint of the types in it, since it does
// not compile where they are missing. Types with different constraints are refused.
func (o *planned) constrain(p *program) {
	var first *model.Type
	for _, t := range o.model.Types {
		root := o.roots[t]
		own := constraintAt(p, o.pkg, root.spec.Pos())
		if root.list != nil && root.list.name.Pkg() == o.pkg.Types {
			if list := constraintAt(p, o.pkg, root.list.name.Pos()); list != own {
				p.report.at(root.spec.Name.Pos(), "%s is built %s, and its list %s %s; give their files the same //go:build line",
					t.Kind, when(own), root.list.name.Name(), when(list))
			}
		}
		for _, ix := range t.Indexes {
			if ix.Kind != model.Funcs {
				continue
			}
			if fn := constraintAt(p, p.checked[ix.Of.Path], o.pos[ix]); fn != own {
				p.report.at(root.spec.Name.Pos(), "%s is built %s, and the function %s, which it is indexed by, %s; give their files the same //go:build line",
					t.Kind, when(own), ix.Of.Name, when(fn))
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

// constraintAt returns the build constraint of the file that a position is in, or "".
func constraintAt(p *program, pkg *loader.Package, pos token.Pos) string {
	for _, file := range pkg.Syntax {
		if pos < file.FileStart || file.FileEnd < pos {
			continue
		}
		name, native := p.report.fset.File(file.FileStart).Name(), false
		if !slices.Contains(pkg.GoFiles, name) { // what cgo has made of it, in the build cache
			name, native = p.report.fset.Position(file.Package).Filename, true
		}
		return strings.Join(conditions(filepath.Base(name), file, native), " && ")
	}
	return ""
}
