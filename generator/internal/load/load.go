// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package load

import (
	"context"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
	"sigs.k8s.io/controller-tools/pkg/loader"

	"github.com/indexer-gen/indexer-gen/generator/internal/diag"
	"github.com/indexer-gen/indexer-gen/templates/model"
)

// Program holds the loaded packages for the later stages.
type Program struct {
	Requested []*loader.Package          // the requested packages, sorted by import path
	Targets   []*loader.Package          // the requested packages that were not excluded
	Checked   map[string]*loader.Package // every type-checked package, by import path
	Report    *diag.Reporter
	GoFlags   string // the effective GOFLAGS, from the environment or go env

	recursiveTypePackages []*loader.Package // packages with types that contain themselves by value
	overlay               map[string][]byte // the texts of files that the loader would read

	Partial            bool                            // a requested package is not among the targets
	validFilesOfBroken map[*loader.Package][]*ast.File // for packages with a syntax error: the valid files
}

// Load parses and type-checks the packages that match the patterns. Errors in their files go to
// Program.Report. Load returns an error only for failures without a file position. Overlay has the text of packages
// that need not exist, by the absolute name of their only file.
func Load(ctx context.Context, dir string, patterns []string, overlay map[string][]byte) (*Program, error) {
	p := &Program{
		overlay: overlay,
		Checked: map[string]*loader.Package{}, GoFlags: readGoFlags(ctx, dir),
		Report:             &diag.Reporter{Dir: dir, FileSet: token.NewFileSet()},
		validFilesOfBroken: map[*loader.Package][]*ast.File{},
	}
	if err := p.loadPatterns(ctx, patterns, "-compiled=false"); err != nil {
		return nil, err
	}
	if p.usesCgo() { // the declarations of C are in files that the go command makes
		p.Report.List = nil
		if err := p.loadPatterns(ctx, patterns, "-compiled=true"); err != nil {
			return nil, err
		}
	}
	p.Targets = slices.Clone(p.Requested)
	for _, pkg := range p.Requested {
		if p.reportSyntaxErrors(pkg) || p.reportImportCycle(pkg) {
			p.removeFromTargets(pkg)
		}
	}
	for _, pkg := range p.Requested {
		p.addCheckedWithImports(pkg)
	}
	p.rejectRecursiveTypes()
	return p, nil
}

// loadPatterns sets p.Requested, and type-checks these packages and those that their types refer to. It starts the
// go command once for all of them. Compiled is the go command's flag for the files that cgo makes: it
// looks each dependency up in the build cache, which takes as long as all else.
func (p *Program) loadPatterns(ctx context.Context, patterns []string, compiledFlag string) error {
	roots := make([]string, len(patterns))
	for i, pattern := range patterns {
		if strings.HasSuffix(pattern, ".go") {
			return fmt.Errorf("%s: name packages, not files", pattern)
		}
		// With this prefix, the loader leaves directories to the go command. It would make one call for
		// each, share no types between them, and enter nested modules.
		roots[i] = "pattern=" + pattern
	}
	found, err := loader.LoadRootsWithConfig(&packages.Config{
		Context: ctx, Dir: p.Report.Dir, Fset: p.Report.FileSet, Mode: packages.NeedModule, Overlay: p.overlay,
		BuildFlags: []string{tagsFlagWithIgnoreTag(p.GoFlags), compiledFlag},
	}, roots...)
	if err != nil {
		return goCommandError(patterns, err)
	}
	if p.Requested, err = handWrittenPackages(p.Report, patterns, found); err != nil {
		return err
	}
	p.Partial = len(p.Report.List) > 0
	slices.SortFunc(
		p.Requested, func(a, b *loader.Package) int { return strings.Compare(a.PkgPath, b.PkgPath) })
	for _, pkg := range p.Requested {
		pkg.CompiledGoFiles = slices.DeleteFunc(pkg.CompiledGoFiles, IsEmitted)
		for _, name := range pkg.CompiledGoFiles {
			if text := p.overlay[name]; text != nil { // the loader would read the file
				file, err := parser.ParseFile(p.Report.FileSet, name, text, parser.ParseComments)
				if err != nil {
					return err
				}
				pkg.Syntax = []*ast.File{file}
			}
		}
		skipMethodFiles(pkg)
		for _, imported := range pkg.Imports() {
			if imported.Module != nil { // others, of the standard library, have no generated methods
				skipMethodFiles(imported)
			}
		}
	}
	visit(p.Requested, map[*loader.Package]bool{}, func(pkg *loader.Package) {
		if pkg.Module == nil { // the standard library's such files, of net, import C and export nothing
			pkg.CompiledGoFiles = slices.DeleteFunc(pkg.CompiledGoFiles, func(name string) bool {
				return strings.HasPrefix(filepath.Base(name), "cgo_")
			})
		}
	})
	checker := &loader.TypeChecker{NodeFilters: []loader.NodeFilter{needsTypeCheck}}
	for _, pkg := range p.Requested {
		for _, imported := range markedSignaturePackages(p.Report.FileSet, pkg) {
			checker.Check(imported)
		}
		checker.Check(pkg)
	}
	return nil
}

// usesCgo reports whether a type-checked package imports C.
func (p *Program) usesCgo() (found bool) {
	visit(p.Requested, map[*loader.Package]bool{}, func(pkg *loader.Package) {
		for _, file := range pkg.Syntax {
			found = found || slices.ContainsFunc(
				file.Imports, func(spec *ast.ImportSpec) bool { return spec.Path.Value == `"C"` })
		}
	})
	return found
}

// visit calls do for packages and all that they import, once each.
func visit(pkgs []*loader.Package, seen map[*loader.Package]bool, do func(pkg *loader.Package)) {
	for _, pkg := range pkgs {
		if !seen[pkg] {
			seen[pkg] = true
			do(pkg)
			visit(slices.Collect(maps.Values(pkg.Imports())), seen, do)
		}
	}
}

// IsEmitted reports whether a file has the name of emitted files. Emitted files are not
// loaded, so that a stale or broken one does not block its own replacement.
func IsEmitted(file string) bool { return model.IsFileName(filepath.Base(file)) }

// needsTypeCheck limits type-checking to embedded fields and fields that JSON encodes.
func needsTypeCheck(node ast.Node) bool {
	switch n := node.(type) {
	case *ast.InterfaceType, *ast.FuncType:
		return false
	case *ast.Field:
		return len(n.Names) == 0 || loader.ParseAstTag(n.Tag).Get("json") != "-" &&
			slices.ContainsFunc(n.Names, (*ast.Ident).IsExported)
	}
	return true
}

// addCheckedWithImports adds pkg to p.Checked, and the type-checked packages that it imports.
func (p *Program) addCheckedWithImports(pkg *loader.Package) {
	if p.Checked[pkg.PkgPath] != nil || pkg.TypesInfo == nil {
		return
	}
	p.Checked[pkg.PkgPath] = pkg
	for _, imported := range pkg.Imports() {
		p.addCheckedWithImports(imported)
	}
}

// SameModule reports whether pkg belongs to the module of a requested package.
func (p *Program) SameModule(pkg *loader.Package) bool {
	return slices.ContainsFunc(p.Requested, func(t *loader.Package) bool {
		return t == pkg || t.Module != nil && pkg.Module != nil && t.Module.Path == pkg.Module.Path
	})
}

// Own reports whether a package belongs to the main module or the workspace. Only there may
// files be written beside the types.
func Own(pkg *loader.Package) bool {
	return pkg.Module == nil || pkg.Module.Main
}

// Import returns a type-checked package. It implements [types.Importer].
func (p *Program) Import(path string) (*types.Package, error) {
	if pkg := p.Checked[path]; pkg != nil && pkg.Types != nil {
		return pkg.Types, nil
	}
	return nil, fmt.Errorf("package %s has not been type-checked", path)
}
