// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package migrate

import (
	"go/ast"
	"go/parser"
	"go/types"
	"path/filepath"
)

// noteOtherUsesWithTests notes where named functions are used besides their registrations, and where tests of their
// package use a name that is theirs.
func (p *program) noteOtherUsesWithTests(functions []*indexFunction) {
	byID, registered := map[string][]*indexFunction{}, map[*ast.Ident]bool{}
	for _, f := range functions {
		if fn, ok := f.pkg.typesObjectOf(f.funcExpr).(*types.Func); ok && !f.Needless {
			byID[uniqueFullName(fn)] = append(byID[uniqueFullName(fn)], f)
			f.TestUses = p.testUses(filepath.Dir(p.fset.File(f.funcExpr.Pos()).Name()), fn.Name())
		}
		for n := range ast.Preorder(f.funcExpr) {
			if id, ok := n.(*ast.Ident); ok {
				registered[id] = true
			}
		}
	}
	for _, s := range p.requestedPackages {
		for _, file := range s.Syntax {
			for n := range ast.Preorder(file) {
				id, _ := n.(*ast.Ident)
				for _, f := range byID[uniqueFullName(s.TypesInfo.Uses[id])] {
					if !registered[id] {
						f.Uses = append(f.Uses, p.relativePosition(id.Pos()))
					}
				}
			}
		}
	}
}

// testUses returns the places where the tests in a directory use a name.
func (p *program) testUses(dir, name string) (out []Position) {
	tests, _ := filepath.Glob(filepath.Join(dir, "*_test.go"))
	for _, test := range tests {
		syntax, err := parser.ParseFile(p.fset, test, nil, parser.SkipObjectResolution)
		if err != nil {
			continue // the go command says why
		}
		for n := range ast.Preorder(syntax) {
			if id, ok := n.(*ast.Ident); ok && id.Name == name {
				out = append(out, p.relativePosition(id.Pos()))
			}
		}
	}
	return out
}
