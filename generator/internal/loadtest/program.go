// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package loadtest makes programs of source text for tests. It runs no go command.
package loadtest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"
	"sigs.k8s.io/controller-tools/pkg/loader"

	"github.com/indexer-gen/indexer-gen/generator/internal/diag"
	"github.com/indexer-gen/indexer-gen/generator/internal/load"
)

// Path is the import path of the package under test.
const Path = "example.com/api/v1"

const meta = "package v1\n\ntype TypeMeta struct{}\n\ntype ListMeta struct{}\n\ntype ObjectMeta struct {\n" +
	"\tName string `json:\"name\"`\n\tLabels map[string]string `json:\"labels\"`\n}\n\ntype Time struct{ t int }\n"

const head = "// +groupName=example.com\n// +versionName=v1\npackage v1\n\n" +
	"import metav1 \"k8s.io/apimachinery/pkg/apis/meta/v1\"\n\nvar _ metav1.Time\n\n"

// Widget begins the declaration of a root type with these fields below spec. Quotes of tags are written ~.
func Widget(markers, spec string) string {
	return markers + "type Widget struct {\n\tmetav1.TypeMeta ~json:\",inline\"~\n\tmetav1.ObjectMeta ~json:\"metadata\"~\n" +
		"\tSpec struct {\n" + spec + "\n} ~json:\"spec\"~\n}\n"
}

// Program type-checks declarations as a package that is requested, with a metav1 of few fields.
func Program(t *testing.T, declarations string) (*load.Program, *loader.Package) {
	t.Helper()
	p := &load.Program{
		Checked: map[string]*loader.Package{}, Report: &diag.Reporter{Dir: "/m", FileSet: token.NewFileSet()},
	}
	add := func(path, source string) *loader.Package {
		name := "/m/" + path + "/types.go"
		file, err := parser.ParseFile(p.Report.FileSet, name, source, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		info := &types.Info{
			Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{},
			Uses: map[*ast.Ident]types.Object{},
		}
		checked, err := (&types.Config{Importer: p}).Check(path, p.Report.FileSet, []*ast.File{file}, info)
		if err != nil {
			t.Fatal(err)
		}
		p.Checked[path] = &loader.Package{Package: &packages.Package{
			PkgPath: path, Name: checked.Name(), GoFiles: []string{name}, Syntax: []*ast.File{file}, Types: checked, TypesInfo: info,
		}}
		return p.Checked[path]
	}
	add("k8s.io/apimachinery/pkg/apis/meta/v1", meta)
	pkg := add(Path, head+strings.ReplaceAll(declarations, "~", "`"))
	p.Requested, p.Targets = []*loader.Package{pkg}, []*loader.Package{pkg}
	return p, pkg
}
