// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package model

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// literals lists the arguments that are string literals, in calls of methods or functions
// called called, in the files of a pattern that are no tests.
func literals(t *testing.T, pattern, called string) (names []string) {
	t.Helper()
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		t.Fatalf("%s: %v, %v", pattern, files, err)
	}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			if sel, ok := call.Fun.(*ast.SelectorExpr); !ok || sel.Sel.Name != called {
				return true
			}
			for _, arg := range call.Args {
				literal, isLiteral := arg.(*ast.BasicLit)
				if !isLiteral || literal.Kind != token.STRING {
					continue
				}
				name, err := strconv.Unquote(literal.Value)
				if err != nil {
					t.Fatal(err)
				}
				names = append(names, name)
			}
			return true
		})
	}
	return names
}

// TestTemplateLocals checks that imports avoid the parameters and variables of emitted
// functions. The names in index functions and queries are picked, and avoid the imports.
func TestTemplateLocals(t *testing.T) {
	picked := regexp.MustCompile(`^(Cache|Field)?Index\p{Lu}|^(By|Min|Max|Has|Count|Requests)\p{Lu}`)
	locals := map[string]bool{}
	for _, pattern := range []string{"hack/golden/*/zz_*.go", "examples/controller-runtime/*/zz_*.go"} {
		files, err := filepath.Glob(filepath.Join("..", "..", pattern))
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %v, %v", pattern, files, err)
		}
		for _, name := range files {
			file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
			if err != nil {
				t.Fatal(err)
			}
			for _, decl := range file.Decls {
				fn, ok := decl.(*ast.FuncDecl)
				if !ok || picked.MatchString(fn.Name.Name) {
					continue
				}
				receiver := ""
				if fn.Recv != nil {
					receiver = fn.Recv.List[0].Names[0].Name // picked
				}
				ast.Inspect(fn, func(n ast.Node) bool {
					if id, ok := n.(*ast.Ident); ok && id.Obj != nil && id.Obj.Kind == ast.Var &&
						id.Name != "_" && id.Name != receiver && !ast.IsExported(id.Name) {
						locals[id.Name] = true
					}
					return true
				})
			}
		}
	}
	for name := range locals {
		if !templateLocals[name] {
			t.Errorf("templates have a parameter or variable %s, which an import may be called too; add it to templateLocals", name)
		}
	}
	// Names that are picked avoid what there is, but they are the better ones.
	for _, name := range literals(t, "*.go", "pickName") {
		locals[name] = true
	}
	for name := range templateLocals {
		if !locals[name] {
			t.Errorf("%s is kept from imports, and no template has it", name)
		}
	}
}
