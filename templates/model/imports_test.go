// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package model

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// fields are what templates name by a literal that is no local name: the fields of
// emitted structs, which shadow no import.
var fields = []string{"indexes", "lister", "text"}

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

// No import may have a name that the templates give to a parameter or a variable,
// whatever the types are: it would be shadowed there, and the file might not compile.
func TestFixedNamesAreThoseOfTheTemplates(t *testing.T) {
	locals := map[string]bool{}
	for _, name := range literals(t, filepath.Join("..", "..", "templates", "*.go"), "Id") {
		if name != "_" && !ast.IsExported(name) && !slices.Contains(fields, name) {
			locals[name] = true
		}
	}
	for _, name := range inlinedLocals(t) {
		locals[name] = true
	}
	for name := range locals {
		if !fixed[name] {
			t.Errorf("templates have a parameter or variable %s, which an import may be called too; add it to fixed", name)
		}
	}
	// Names that are picked avoid what there is, but they are the better ones.
	for _, name := range literals(t, "*.go", "pick") {
		locals[name] = true
	}
	for name := range fixed {
		if !locals[name] {
			t.Errorf("%s is kept from imports, and no template has it", name)
		}
	}
}

// inlinedLocals lists the parameters and variables in the sources of inlined functions.
func inlinedLocals(t *testing.T) (names []string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "templates", "inlined.go"))
	if err != nil {
		t.Fatal(err)
	}
	sources := strings.Split(string(text), "`\n")
	for i := 1; i < len(sources); i++ {
		source, _, _ := strings.Cut(sources[i], "`")
		source = regexp.MustCompile(`«\w+»\.\w+`).ReplaceAllString(source, "X")
		file, err := parser.ParseFile(token.NewFileSet(), "", "package p\n"+strings.ReplaceAll(source, "@", "helper"), 0)
		if err != nil {
			t.Fatalf("%v in %s", err, source)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok && id.Obj != nil && id.Obj.Kind == ast.Var {
				names = append(names, id.Name)
			}
			return true
		})
	}
	return slices.DeleteFunc(names, func(name string) bool { return reserved[name] })
}
