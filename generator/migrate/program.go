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
	sources   map[string]*source      // by import path; nil for packages that cannot be loaded
	names     map[string]string       // of packages, by import path
	named     map[string]string       // the import path of a name
	defs      map[string][]def        // by id
	params    map[types.Object]string // a function and the number of its parameter
	arguments map[string][]def        // that calls pass for them
	broken    []error                 // packages that do not compile
}

// breaks notes that a package does not compile, unless that is known of another for the same reason.
func (p *program) breaks(what, why string) {
	if !slices.ContainsFunc(p.broken, func(err error) bool { return strings.HasSuffix(err.Error(), ": "+why) }) {
		p.broken = append(p.broken, fmt.Errorf("%s: %s", what, why))
	}
}

// A source is a package with its syntax.
type source struct {
	*packages.Package
	prog *program
	own  bool // it is of the main module, or of one of the workspace
}

// A def is the declaration of a function, or what a variable is set to; nil if that is no expression.
type def struct {
	in *source
	ast.Node
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
		s := p.sources[pkg.PkgPath]
		if s == nil {
			s = &source{pkg, p, pkg.Module != nil && pkg.Module.Main}
			p.sources[pkg.PkgPath] = s
			for _, f := range s.Syntax {
				ast.Inspect(f, s.declares)
			}
		}
		out = append(out, s)
	}
	return out, err
}

// id returns the name of a function or a variable, which is the same in all packages that use it.
func id(obj types.Object) string {
	switch f, ok := obj.(*types.Func); {
	case ok:
		return f.Origin().FullName()
	case obj == nil || obj.Pkg() == nil:
		return ""
	case obj.Parent() == obj.Pkg().Scope():
		return obj.Pkg().Path() + "." + obj.Name()
	}
	return fmt.Sprint(obj.Name(), obj.Pos())
}

// declares notes functions, by name and by line, and what variables are set to.
func (s *source) declares(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.FuncDecl:
		s.set(n.Name, n)
		s.starts(n)
		if fn, ok := s.TypesInfo.Defs[n.Name].(*types.Func); ok {
			for i := range fn.Signature().Params().Len() {
				s.prog.params[fn.Signature().Params().At(i)] = fmt.Sprint(id(fn), i)
			}
		}
	case *ast.CallExpr:
		for i, arg := range n.Args {
			key := fmt.Sprint(id(s.used(n.Fun)), i)
			s.prog.arguments[key] = append(s.prog.arguments[key], def{s, arg})
		}
	case *ast.FuncLit:
		s.starts(n)
	case *ast.AssignStmt:
		for i, left := range n.Lhs {
			s.set(left, nth(n.Rhs, i, len(n.Lhs)))
		}
	case *ast.ValueSpec:
		for i, name := range n.Names {
			s.set(name, nth(n.Values, i, len(n.Names)))
		}
	case *ast.IncDecStmt:
		s.set(n.X, nil)
	case *ast.UnaryExpr:
		if n.Op == token.AND {
			s.set(n.X, nil)
		}
	case *ast.SelectorExpr: // a method that gets the address
		if x := s.TypesInfo.Selections[n]; x != nil && x.Kind() == types.MethodVal {
			if m, _, _ := types.LookupFieldOrMethod(x.Recv(), false, x.Obj().Pkg(), n.Sel.Name); m == nil {
				s.set(n.X, nil)
			}
		}
	}
	return true
}

func (s *source) starts(n ast.Node) {
	at := s.prog.fset.Position(n.Pos())
	key := fmt.Sprint(at.Filename, at.Line)
	s.prog.defs[key] = append(s.prog.defs[key], def{s, n})
}

// nth returns the value of one of n variables, or nil if one call has all.
func nth(values []ast.Expr, i, n int) ast.Node {
	if len(values) == n {
		return values[i]
	}
	return nil
}

// set notes that a variable, or a part of it, is set.
func (s *source) set(left ast.Expr, value ast.Node) {
	switch x := ast.Unparen(left).(type) {
	case *ast.IndexExpr:
		s.set(x.X, nil)
	case *ast.StarExpr:
		s.set(x.X, nil)
	case *ast.SelectorExpr:
		if s.TypesInfo.Selections[x] != nil {
			s.set(x.X, nil)
			return
		}
	}
	key := id(s.used(left))
	s.prog.defs[key] = append(s.prog.defs[key], def{s, value})
}

// value returns the expression to which a variable is set, if there is only one.
func (s *source) value(obj types.Object) ast.Expr {
	v, _ := obj.(*types.Var)
	if defs := s.prog.defs[id(obj)]; v != nil && len(defs) == 1 {
		e, _ := defs[0].Node.(ast.Expr)
		return e
	}
	return nil
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
