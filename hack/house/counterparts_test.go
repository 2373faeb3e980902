// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package house

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// The tests that docs/from-client-go.md names exist.
func TestCounterpartsAreTested(t *testing.T) {
	doc, err := os.ReadFile(filepath.Join(repository, "docs", "from-client-go.md"))
	if err != nil {
		t.Fatal(err)
	}
	named := regexp.MustCompile("`([a-z]+)\\.(Test[A-Za-z]+)`").FindAllStringSubmatch(string(doc), -1)
	if len(named) < 20 {
		t.Fatalf("the table names %d tests", len(named))
	}
	for _, name := range named {
		files, _ := filepath.Glob(filepath.Join(repository, "runtime", name[1], "*_test.go"))
		found := false
		for _, file := range files {
			src, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			found = found || strings.Contains(string(src), "\nfunc "+name[2]+"(t *testing.T)")
		}
		if !found {
			t.Errorf("there is no %s in runtime/%s", name[2], name[1])
		}
	}
}

// What docs/from-client-go.md names beside tests exists as well.
func TestCounterpartsExist(t *testing.T) {
	doc, err := os.ReadFile(filepath.Join(repository, "docs", "from-client-go.md"))
	if err != nil {
		t.Fatal(err)
	}
	exists, n := declared(t), 0
	for _, name := range regexp.MustCompile("`([a-z]+\\.[A-Z]\\w*(\\.[A-Z]\\w*)?)[` ]").FindAllStringSubmatch(string(doc), -1) {
		pkg, _, _ := strings.Cut(name[1], ".")
		if _, err := os.Stat(filepath.Join(repository, "runtime", pkg)); err != nil {
			continue // of another module
		}
		if n++; !exists[name[1]] {
			t.Errorf("there is no %s", name[1])
		}
	}
	if n < 40 {
		t.Errorf("the table names %d things", n)
	}
}

// declared returns what the packages of runtime declare, tests included, as "queue.FIFO"
// and "queue.FIFO.Pop".
func declared(t *testing.T) map[string]bool {
	files, err := filepath.Glob(filepath.Join(repository, "runtime", "*", "*.go"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	exists := map[string]bool{}
	for _, name := range files {
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		pkg := filepath.Base(filepath.Dir(name))
		for _, decl := range f.Decls {
			switch d := decl.(type) {
			case *ast.FuncDecl:
				exists[pkg+"."+receiver(d)+d.Name.Name] = true
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					switch s := spec.(type) {
					case *ast.TypeSpec:
						exists[pkg+"."+s.Name.Name] = true
						for _, field := range members(s.Type) {
							exists[pkg+"."+s.Name.Name+"."+field] = true
						}
					case *ast.ValueSpec:
						for _, name := range s.Names {
							exists[pkg+"."+name.Name] = true
						}
					}
				}
			}
		}
	}
	return exists
}

// receiver returns "FIFO." for a method of FIFO, pointer and type parameters aside.
func receiver(d *ast.FuncDecl) string {
	if d.Recv == nil {
		return ""
	}
	typ := d.Recv.List[0].Type
	for {
		switch t := typ.(type) {
		case *ast.StarExpr:
			typ = t.X
		case *ast.IndexExpr:
			typ = t.X
		case *ast.IndexListExpr:
			typ = t.X
		case *ast.Ident:
			return t.Name + "."
		default:
			return ""
		}
	}
}

// members returns the fields of a struct and the methods of an interface.
func members(typ ast.Expr) (names []string) {
	var fields *ast.FieldList
	switch t := typ.(type) {
	case *ast.StructType:
		fields = t.Fields
	case *ast.InterfaceType:
		fields = t.Methods
	default:
		return nil
	}
	for _, field := range fields.List {
		for _, name := range field.Names {
			names = append(names, name.Name)
		}
	}
	return names
}
