// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package migrate

import (
	"context"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"path/filepath"
	"strings"

	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/go/ssa"
)

// A program is the packages asked for, and those into which index functions call.
type program struct {
	ctx       context.Context
	dir       string
	fset      *token.FileSet
	requested []*source
	sources   map[string]*source // by import path; nil for packages that cannot be loaded
}

// A source is a package with its syntax.
type source struct {
	*packages.Package
	info      *types.Info
	types     *types.Package
	prog      *program
	ssa       *ssa.Package             // see built
	functions map[string]*ssa.Function // see key
	assigned  map[types.Object]bool
	inits     map[types.Object]ast.Expr // of variables that are set once
}

func loadProgram(ctx context.Context, dir string, patterns []string) (*program, error) {
	p := &program{ctx: ctx, dir: dir, fset: token.NewFileSet(), sources: map[string]*source{}}
	found, err := p.load(patterns...)
	if err != nil {
		return nil, err
	}
	for _, pkg := range found {
		if pkg.Types == nil || len(pkg.Syntax) == 0 {
			for _, e := range pkg.Errors {
				return nil, fmt.Errorf("%s: %s", pkg.PkgPath, e.Msg)
			}
			continue
		}
		p.requested = append(p.requested, p.add(pkg))
	}
	if len(p.requested) == 0 {
		return nil, fmt.Errorf("no packages with Go files match %s", strings.Join(patterns, " "))
	}
	return p, nil
}

// load type-checks packages from source, and what they import from export data, as go vet does.
func (p *program) load(patterns ...string) ([]*packages.Package, error) {
	return packages.Load(&packages.Config{
		Context: p.ctx, Dir: p.dir, Fset: p.fset,
		Mode: packages.NeedName | packages.NeedFiles | packages.NeedImports | packages.NeedSyntax | packages.NeedTypes |
			packages.NeedTypesInfo | packages.NeedExportFile | packages.NeedModule | packages.NeedCompiledGoFiles,
	}, patterns...)
}

func (p *program) add(pkg *packages.Package) *source {
	s := &source{
		Package: pkg, info: pkg.TypesInfo, types: pkg.Types, prog: p,
		assigned: map[types.Object]bool{}, inits: map[types.Object]ast.Expr{},
	}
	p.sources[pkg.PkgPath] = s
	for _, file := range pkg.Syntax {
		ast.Inspect(file, func(n ast.Node) bool { s.note(n); return true })
	}
	return s
}

// note records where variables are set.
func (s *source) note(n ast.Node) {
	set := func(e ast.Expr, to ast.Expr) {
		id, ok := ast.Unparen(e).(*ast.Ident)
		if !ok {
			return
		}
		obj := s.info.ObjectOf(id)
		if _, again := s.inits[obj]; again || to == nil {
			s.assigned[obj] = true
		}
		s.inits[obj] = to
	}
	switch n := n.(type) {
	case *ast.AssignStmt:
		for i, e := range n.Lhs {
			if len(n.Rhs) == len(n.Lhs) && (n.Tok == token.DEFINE || n.Tok == token.ASSIGN) {
				set(e, n.Rhs[i])
			} else {
				set(e, nil)
			}
		}
	case *ast.ValueSpec:
		for i, name := range n.Names {
			if len(n.Values) == len(n.Names) {
				set(name, n.Values[i])
			}
		}
	case *ast.UnaryExpr:
		if n.Op == token.AND {
			set(n.X, nil)
		}
	case *ast.IncDecStmt:
		set(n.X, nil)
	case *ast.RangeStmt:
		set(n.Key, nil)
		set(n.Value, nil)
	}
}

// source returns a package, which it loads if a function of the program calls into it. It returns nil for the
// standard library, and if the package cannot be loaded.
func (p *program) source(path string) *source {
	if s, ok := p.sources[path]; ok {
		return s
	}
	p.sources[path] = nil
	if first, _, _ := strings.Cut(path, "/"); !strings.Contains(first, ".") && !p.own(path) {
		return nil
	}
	found, err := p.load(path)
	if err != nil || len(found) != 1 || found[0].Types == nil || len(found[0].Syntax) == 0 {
		return nil
	}
	return p.add(found[0])
}

// own reports whether a path is in a module of a requested package.
func (p *program) own(path string) bool {
	for _, s := range p.requested {
		if s.Module != nil && (path == s.Module.Path || strings.HasPrefix(path, s.Module.Path+"/")) {
			return true
		}
	}
	return false
}

// position returns where a node begins, with the file relative to the working directory if it is below it.
func (s *source) position(n ast.Node) token.Position {
	return s.prog.position(n.Pos())
}

func (p *program) position(pos token.Pos) token.Position {
	at := p.fset.Position(pos)
	if rel, err := filepath.Rel(p.dir, at.Filename); err == nil && !strings.HasPrefix(rel, "..") {
		at.Filename = rel
	}
	return at
}
