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
)

// A program is the packages asked for, and those into which index functions call.
type program struct {
	ctx       context.Context
	dir       string
	fset      *token.FileSet
	requested []*source
	sources   map[string]*source // by import path; nil for packages that cannot be loaded
	names     map[string]string  // of packages, by import path, and back
}

// A source is a package with its syntax.
type source struct {
	*packages.Package
	prog    *program
	own     bool                        // it is of the main module, or of one of the workspace
	decls   map[string]*ast.FuncDecl    // by the full name of the function
	values  map[types.Object][]ast.Expr // what variables are set to; nil for a value of several
	changed map[string]bool             // variables of packages that it changes, by path and name
}

func loadProgram(ctx context.Context, dir string, patterns []string) (*program, error) {
	p := &program{ctx: ctx, dir: dir, fset: token.NewFileSet(), sources: map[string]*source{}, names: map[string]string{}}
	var err error
	if p.requested, err = p.load(patterns...); err == nil && len(p.requested) == 0 {
		err = fmt.Errorf("no packages with Go files match %s", strings.Join(patterns, " "))
	}
	return p, err
}

// load type-checks packages from source, and what they import from export data, as go vet does.
func (p *program) load(patterns ...string) (out []*source, err error) {
	found, err := packages.Load(&packages.Config{
		Context: p.ctx, Dir: p.dir, Fset: p.fset,
		Mode: packages.NeedName | packages.NeedFiles | packages.NeedImports | packages.NeedSyntax | packages.NeedTypes |
			packages.NeedTypesInfo | packages.NeedExportFile | packages.NeedModule | packages.NeedCompiledGoFiles,
	}, patterns...)
	for _, pkg := range found {
		if pkg.Types == nil || len(pkg.Syntax) == 0 {
			for _, e := range pkg.Errors {
				return nil, fmt.Errorf("%s: %s", pkg.PkgPath, e.Msg)
			}
			continue
		}
		s := &source{
			Package: pkg, prog: p, own: pkg.Module != nil && pkg.Module.Main,
			decls: map[string]*ast.FuncDecl{}, values: map[types.Object][]ast.Expr{}, changed: map[string]bool{},
		}
		for _, f := range s.Syntax {
			ast.Inspect(f, s.declares)
		}
		p.sources[pkg.PkgPath] = s
		out = append(out, s)
	}
	return out, err
}

// declares notes functions, and what variables are set to.
func (s *source) declares(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.FuncDecl:
		if fn, ok := s.TypesInfo.Defs[n.Name].(*types.Func); ok {
			s.decls[fn.FullName()] = n
		}
	case *ast.AssignStmt:
		for i, left := range n.Lhs {
			s.sets(left, n.Rhs, i, n.Tok == token.DEFINE)
		}
	case *ast.ValueSpec:
		for i, name := range n.Names {
			s.sets(name, n.Values, i, true)
		}
	case *ast.IncDecStmt:
		s.sets(n.X, nil, 0, false)
	case *ast.UnaryExpr:
		if id, ok := ast.Unparen(n.X).(*ast.Ident); ok && n.Op == token.AND {
			s.sets(id, nil, 0, false)
		}
	case *ast.SelectorExpr: // a method that gets the address
		if x, ok := s.TypesInfo.Selections[n]; ok && x.Kind() == types.MethodVal {
			_, byAddress := x.Obj().(*types.Func).Signature().Recv().Type().(*types.Pointer)
			if _, isPointer := x.Recv().Underlying().(*types.Pointer); byAddress && !isPointer {
				s.sets(n.X, nil, 0, false)
			}
		}
	}
	return true
}

// sets notes that a variable, or what it holds, is set to one of some values.
func (s *source) sets(left ast.Expr, values []ast.Expr, i int, declared bool) {
	var value ast.Expr
	if i < len(values) && len(values) != 1 || len(values) == 1 && i == 0 {
		value = values[i]
	}
	for {
		switch x := ast.Unparen(left).(type) {
		case *ast.IndexExpr:
			left, value = x.X, nil
			continue
		case *ast.StarExpr:
			left, value = x.X, nil
			continue
		case *ast.SelectorExpr:
			if _, isField := s.TypesInfo.Selections[x]; isField {
				left, value = x.X, nil
				continue
			}
			left = x.Sel
			continue
		case *ast.Ident:
			obj := s.TypesInfo.ObjectOf(x)
			if v, ok := obj.(*types.Var); ok && v.Pkg() != nil {
				if s.values[v] = append(s.values[v], value); !declared && v.Parent() == v.Pkg().Scope() {
					s.changed[v.Pkg().Path()+"."+v.Name()] = true
				}
			}
		}
		return
	}
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
	if err != nil || len(found) != 1 {
		return nil
	}
	return found[0]
}

// position returns a position, whose file is relative to the working directory if it is below it.
func (p *program) position(pos token.Pos) Position {
	at := p.fset.Position(pos)
	if rel, err := filepath.Rel(p.dir, at.Filename); err == nil && !strings.HasPrefix(rel, "..") {
		at.Filename = rel
	}
	return Position{at.Filename, at.Line, at.Column}
}
