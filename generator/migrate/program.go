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
	"slices"
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
	names     map[string]string  // of the packages of objects, by import path, and back
	assigned  map[string]bool    // variables that are set again, by variable
}

// A source is a package with its syntax.
type source struct {
	*packages.Package
	info      *types.Info
	types     *types.Package
	prog      *program
	ssa       *ssa.Package              // see built
	functions map[string]*ssa.Function  // see key
	inits     map[types.Object]ast.Expr // what variables are set to
}

func loadProgram(ctx context.Context, dir string, patterns []string) (*program, error) {
	p := &program{ctx: ctx, dir: dir, fset: token.NewFileSet(), sources: map[string]*source{},
		names: map[string]string{}, assigned: map[string]bool{}}
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
		inits: map[types.Object]ast.Expr{},
	}
	p.sources[pkg.PkgPath] = s
	for _, file := range pkg.Syntax {
		ast.Inspect(file, func(n ast.Node) bool { s.note(n); return true })
	}
	return s
}

// note records where variables are set.
func (s *source) note(n ast.Node) {
	var vars, values []ast.Expr
	switch n := n.(type) {
	case *ast.AssignStmt:
		if vars = n.Lhs; n.Tok == token.DEFINE || n.Tok == token.ASSIGN {
			values = n.Rhs
		}
	case *ast.ValueSpec:
		for i := range n.Values {
			if len(n.Values) == len(n.Names) {
				vars = append(vars, n.Names[i])
			}
		}
		values = n.Values
	case *ast.UnaryExpr:
		if id, ok := n.X.(*ast.Ident); ok && n.Op == token.AND {
			vars = []ast.Expr{id} // it may be set through the pointer
		}
	case *ast.IncDecStmt:
		vars = []ast.Expr{n.X}
	case *ast.RangeStmt:
		vars = []ast.Expr{n.Key, n.Value}
	}
	for i, e := range vars {
		id := s.set(e)
		obj, value := s.info.ObjectOf(id), ast.Expr(nil)
		if obj == nil {
			continue
		}
		if len(values) == len(vars) && ast.Unparen(e) == id {
			value = values[i]
		}
		if _, again := s.inits[obj]; again || value == nil {
			s.prog.assigned[variable(obj)] = true
		}
		s.inits[obj] = value
	}
}

// set returns the name of the variable that an assignment sets, or sets a part of.
func (s *source) set(e ast.Expr) *ast.Ident {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		return e
	case *ast.IndexExpr:
		return s.set(e.X)
	case *ast.SelectorExpr:
		if id, ok := e.X.(*ast.Ident); ok {
			if _, ok := s.info.Uses[id].(*types.PkgName); ok {
				return e.Sel
			}
		}
		return s.set(e.X)
	}
	return nil
}

// variable returns a name that a variable has in all packages that use it.
func variable(obj types.Object) string {
	if obj.Pkg() != nil && obj.Parent() == obj.Pkg().Scope() {
		return obj.Pkg().Path() + "." + obj.Name()
	}
	return fmt.Sprint(obj.Pos())
}

// source returns a package, which it loads if a function of the program calls into it. It returns nil for the
// standard library, and if the package cannot be loaded.
func (p *program) source(path string) *source {
	if s, ok := p.sources[path]; ok {
		return s
	}
	p.sources[path] = nil
	module := func(s *source) bool { return s.Module != nil && strings.HasPrefix(path+"/", s.Module.Path+"/") }
	if first, _, _ := strings.Cut(path, "/"); !strings.Contains(first, ".") && !slices.ContainsFunc(p.requested, module) {
		return nil
	}
	found, err := p.load(path)
	if err != nil || len(found) != 1 || found[0].Types == nil || len(found[0].Syntax) == 0 {
		return nil
	}
	return p.add(found[0])
}

// position returns a position, whose file is relative to the working directory if it is below it.
func (p *program) position(pos token.Pos) Position {
	at := p.fset.Position(pos)
	if rel, err := filepath.Rel(p.dir, at.Filename); err == nil && !strings.HasPrefix(rel, "..") {
		at.Filename = rel
	}
	return Position{at.Filename, at.Line, at.Column}
}
