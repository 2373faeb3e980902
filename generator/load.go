// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package generator

import (
	"context"
	"fmt"
	"go/ast"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
	"sigs.k8s.io/controller-tools/pkg/loader"
)

// program is what the later stages read.
type program struct {
	targets []*loader.Package          // asked for, by import path
	checked map[string]*loader.Package // everything that was type-checked, by import path
	report  *reporter
	goflags string // GOFLAGS, as the go command has it
}

// load parses and type-checks the packages that the patterns match. What is wrong
// with them goes to the reporter; the error is for what has no place in a file.
func load(ctx context.Context, dir string, patterns []string) (*program, error) {
	report := &reporter{dir: dir, fset: token.NewFileSet()}
	flags := goFlags(ctx, dir)
	tags := tagsFlag(flags)
	paths, err := expand(ctx, dir, patterns, tags, report)
	if err != nil {
		return nil, err
	}
	if err := report.err(); err != nil {
		return nil, err
	}
	// One call for all packages, by import path: given directories, the loader
	// would make one call for each, share no types between them, and enter nested
	// modules that nobody asked for.
	targets, err := loader.LoadRootsWithConfig(&packages.Config{
		Context: ctx, Dir: dir, Fset: report.fset, Mode: packages.NeedModule, BuildFlags: []string{tags},
	}, paths...)
	if err != nil {
		return nil, err
	}
	slices.SortFunc(targets, func(a, b *loader.Package) int { return strings.Compare(a.PkgPath, b.PkgPath) })
	p := &program{targets: targets, checked: map[string]*loader.Package{}, report: report, goflags: flags}
	checker := &loader.TypeChecker{NodeFilters: []loader.NodeFilter{interesting}}
	for _, pkg := range targets {
		leaveOut(pkg)
	}
	for _, pkg := range targets {
		for _, imported := range namedByFunctions(pkg) {
			checker.Check(imported)
		}
		checker.Check(pkg)
		p.syntaxErrors(pkg)
	}
	if err := report.err(); err != nil {
		return nil, err
	}
	for _, pkg := range targets {
		p.addChecked(pkg)
	}
	return p, nil
}

// expand resolves patterns to import paths, within the modules asked for.
func expand(ctx context.Context, dir string, patterns []string, tags string, report *reporter) ([]string, error) {
	for _, pattern := range patterns {
		if strings.HasSuffix(pattern, ".go") {
			return nil, fmt.Errorf("%s: name packages, not files", pattern)
		}
	}
	found, err := packages.Load(&packages.Config{
		Context: ctx, Dir: dir, Mode: packages.NeedName | packages.NeedFiles, BuildFlags: []string{tags},
	}, patterns...)
	if err != nil {
		return nil, goCommandError(patterns, err)
	}
	var paths []string
	for _, pkg := range found {
		if len(slices.DeleteFunc(slices.Clone(pkg.GoFiles), isEmitted)) > 0 && pkg.Name != "" {
			for _, e := range pkg.Errors {
				if e.Kind == packages.ListError && strings.HasPrefix(e.Msg, "found packages ") {
					report.add(position(e.Pos), e.Msg+"; keep one package in a directory")
				}
			}
			paths = append(paths, pkg.PkgPath)
			continue
		}
		for _, e := range pkg.Errors {
			if isEmitted(position(e.Pos).Filename) {
				continue // whatever is wrong with it, it is about to be replaced
			}
			if strings.Contains(e.Msg, "build constraints exclude all Go files") {
				continue // a directory of generated code alone
			}
			report.add(position(e.Pos), patternError(dir, patterns, pkg.PkgPath, e.Msg))
		}
	}
	if len(paths) == 0 && len(report.list) == 0 {
		return nil, fmt.Errorf("no packages match %s", strings.Join(patterns, " "))
	}
	return paths, nil
}

// goCommandError is what the go command said, without what surrounds it.
func goCommandError(patterns []string, err error) error {
	message := err.Error()
	if _, stderr, ok := strings.Cut(message, "stderr: "); ok {
		message = stderr
	}
	message = strings.TrimPrefix(oneLine(message), "go: ")
	return fmt.Errorf("load %s: %s", strings.Join(patterns, " "), message)
}

// patternError rewords what the go command says of a pattern that is no package.
func patternError(dir string, patterns []string, pattern, message string) string {
	if strings.HasPrefix(message, "no Go files in ") {
		return message + "; name the packages of the API types, for example ./api/..."
	}
	if info, err := os.Stat(filepath.Join(dir, pattern)); err == nil && info.IsDir() && !strings.HasPrefix(pattern, ".") {
		return fmt.Sprintf("%s is not a package; write ./%s for the directory", pattern, pattern)
	}
	if strings.Contains(message, "does not contain") {
		for _, asked := range patterns {
			if nested := nestedModule(dir, asked); nested != "" && strings.Contains(message, nested) {
				return fmt.Sprintf("%s; %s is a module of its own: run indexer-gen there, or join them in a go.work", message, nested)
			}
		}
	}
	return message
}

// nestedModule returns the directory below dir, on the way to where the pattern
// leads, that has a go.mod of its own, or "".
func nestedModule(dir, pattern string) string {
	if !strings.HasPrefix(pattern, "./") {
		return ""
	}
	for at := filepath.Clean(strings.TrimSuffix(pattern, "...")); at != "."; at = filepath.Dir(at) {
		if _, err := os.Stat(filepath.Join(dir, at, "go.mod")); err == nil {
			return filepath.ToSlash(at)
		}
	}
	return ""
}

// isEmitted reports whether a file is named as ours are. They are not read: one
// that is stale or broken must not block its own replacement.
func isEmitted(file string) bool { return filepath.Base(file) == FileName }

// interesting limits type-checking to what objects are made of: the types of
// fields that are encoded, and embedded ones.
func interesting(node ast.Node) bool {
	switch n := node.(type) {
	case *ast.InterfaceType, *ast.FuncType:
		return false
	case *ast.Field:
		return len(n.Names) == 0 || loader.ParseAstTag(n.Tag).Get("json") != "-" && slices.ContainsFunc(n.Names, (*ast.Ident).IsExported)
	}
	return true
}

// syntaxErrors reports what keeps a package from being parsed. Other errors are
// met, or not, when a path leads through them.
func (p *program) syntaxErrors(pkg *loader.Package) {
	for _, e := range pkg.Errors {
		if e.Kind == packages.ParseError && !isEmitted(position(e.Pos).Filename) {
			p.report.add(position(e.Pos), e.Msg)
		}
	}
	if pkg.Syntax == nil && len(p.report.list) == 0 {
		for _, e := range pkg.Errors {
			p.report.add(position(e.Pos), e.Msg)
		}
	}
}

// addChecked indexes pkg and the checked packages that it reaches.
func (p *program) addChecked(pkg *loader.Package) {
	if p.checked[pkg.PkgPath] != nil || pkg.TypesInfo == nil {
		return
	}
	p.checked[pkg.PkgPath] = pkg
	for _, imported := range pkg.Imports() {
		p.addChecked(imported)
	}
}

// sameModule reports whether pkg belongs to the module of a package asked for.
func (p *program) sameModule(pkg *loader.Package) bool {
	return slices.ContainsFunc(p.targets, func(t *loader.Package) bool {
		return t == pkg || t.Module != nil && pkg.Module != nil && t.Module.Path == pkg.Module.Path
	})
}
