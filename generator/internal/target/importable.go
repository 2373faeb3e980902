// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package target

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"

	"sigs.k8s.io/controller-tools/pkg/loader"

	"github.com/indexer-gen/indexer-gen/generator/internal/load"
)

// NotImportable returns the reason why a package in dir could not import pkg, or "".
func NotImportable(pkg *loader.Package, dir string) string {
	if pkg.Name == "main" {
		return "it is a program; leave out -o"
	}
	if why := InternalTo(pkg, dir); why != "" {
		return why + "; choose a directory below that"
	}
	if importsDir(pkg, dir, map[string]bool{}) {
		return "it imports the package there itself; choose another directory"
	}
	return ""
}

// InternalTo returns an error if pkg is internal and dir is outside the directory that may
// import it, or "".
func InternalTo(pkg *loader.Package, dir string) string {
	const element = string(filepath.Separator) + "internal"
	home := filepath.Dir(pkg.GoFiles[0]) + string(filepath.Separator)
	i := strings.LastIndex(home, element+string(filepath.Separator))
	if i < 0 || dir == home[:i] || strings.HasPrefix(dir, home[:i]+string(filepath.Separator)) {
		return ""
	}
	return "it is internal to " + home[:i]
}

// importsDir reports whether pkg imports, at any depth, the package in dir.
func importsDir(pkg *loader.Package, dir string, seen map[string]bool) bool {
	for path, imported := range pkg.Imports() {
		if seen[path] {
			continue
		}
		seen[path] = true
		if len(imported.GoFiles) > 0 && load.SameDir(filepath.Dir(imported.GoFiles[0]), dir) {
			return true
		}
		if load.Own(imported) && importsDir(imported, dir, seen) {
			return true
		}
	}
	return false
}

// GoFilesIn parses the Go files of a package in a directory, whatever their build
// constraints. It includes tests and generated code, but not our emitted files. An empty name
// matches any package.
func GoFilesIn(fset *token.FileSet, dir, name string) []*ast.File {
	found, _ := filepath.Glob(filepath.Join(dir, "*.go"))
	var out []*ast.File
	for _, file := range found {
		if load.IsEmitted(file) {
			continue
		}
		f, err := parser.ParseFile(fset, file, nil, parser.SkipObjectResolution)
		if err == nil && (name == "" || f.Name.Name == name) {
			out = append(out, f)
		}
	}
	return out
}

// packageNameIn returns the name of the package in a directory, or "".
func packageNameIn(dir string) string {
	for _, f := range GoFilesIn(token.NewFileSet(), dir, "") {
		if name := strings.TrimSuffix(f.Name.Name, "_test"); name != "main" {
			return name
		}
	}
	return ""
}
