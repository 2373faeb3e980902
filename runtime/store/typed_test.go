// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package store_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"strings"
	"testing"
)

// No exported declaration uses any or an interface without methods.
func TestNothingExportedIsUntyped(t *testing.T) {
	files, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	fset := token.NewFileSet()
	untyped := func(name string, in ast.Node) {
		ast.Inspect(in, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.Ident:
				if n.Name == "any" {
					t.Errorf("%s: %s has an any", fset.Position(n.Pos()), name)
				}
			case *ast.InterfaceType:
				if len(n.Methods.List) == 0 {
					t.Errorf("%s: %s has an interface{}", fset.Position(n.Pos()), name)
				}
			}
			return true
		})
	}
	for _, entry := range files {
		if !strings.HasSuffix(entry.Name(), ".go") || strings.HasSuffix(entry.Name(), "_test.go") {
			continue
		}
		file, err := parser.ParseFile(fset, entry.Name(), nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, decl := range file.Decls {
			switch d := decl.(type) {
			case *ast.FuncDecl:
				if d.Name.IsExported() { // its type parameters are typed, whatever they are
					seen++
					untyped(d.Name.Name, d.Type.Params)
					if d.Type.Results != nil {
						untyped(d.Name.Name, d.Type.Results)
					}
				}
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					spec, ok := spec.(*ast.TypeSpec)
					if !ok || !spec.Name.IsExported() {
						continue
					}
					if s, ok := spec.Type.(*ast.StructType); ok {
						for _, field := range s.Fields.List {
							if len(field.Names) == 0 || field.Names[0].IsExported() {
								untyped(spec.Name.Name, field.Type)
							}
						}
					}
				}
			}
		}
	}
	if seen < 90 {
		t.Errorf("%d functions only: this test is of no use", seen)
	}
}
