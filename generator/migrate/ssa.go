// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package migrate

import (
	"cmp"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strconv"

	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/go/ssa"
)

// built returns the package in SSA form, without the bodies of what it imports, or nil if it does not compile.
func (s *source) built() *ssa.Package {
	if s.ssa != nil || len(s.Errors) > 0 {
		return s.ssa
	}
	prog := ssa.NewProgram(s.prog.fset, 0)
	created := map[*types.Package]bool{}
	var create func([]*types.Package)
	create = func(imports []*types.Package) {
		for _, p := range imports {
			if !created[p] {
				created[p] = true
				prog.CreatePackage(p, nil, nil, true)
				create(p.Imports())
			}
		}
	}
	create(s.types.Imports())
	s.ssa = prog.CreatePackage(s.types, s.Syntax, s.info, false)
	s.ssa.Build()
	s.functions = map[string]*ssa.Function{}
	for _, m := range s.ssa.Members {
		switch m := m.(type) {
		case *ssa.Function:
			s.add(m)
		case *ssa.Type:
			if named, ok := m.Type().(*types.Named); ok {
				for method := range named.Methods() {
					s.add(prog.FuncValue(method))
				}
			}
		}
	}
	return s.ssa
}

// add adds a function, and those in it, by name and by position.
func (s *source) add(fn *ssa.Function) {
	if fn == nil {
		return // a method of an interface
	}
	s.functions[key(fn.Object(), fn.Pos())] = fn
	for _, inner := range fn.AnonFuncs {
		s.add(inner)
	}
}

// key returns the key of a declared function, or of a function literal.
func key(obj types.Object, pos token.Pos) string {
	if fn, ok := obj.(*types.Func); ok && fn != nil {
		return fn.Origin().FullName()
	}
	return strconv.Itoa(int(pos))
}

// function returns a function with its body, or nil. Its package is loaded if it was not.
func (p *program) function(obj types.Object) *ssa.Function {
	if obj == nil || obj.Pkg() == nil {
		return nil
	}
	s := p.source(obj.Pkg().Path())
	if s == nil || s.built() == nil {
		return nil
	}
	return s.functions[key(obj, 0)]
}

// registered returns the function that an expression of the program is.
func (f *frame) registered(in *source, e ast.Expr) *closure {
	if in.built() == nil {
		f.fail("the package does not compile: %s", slices.MaxFunc(in.Errors, func(a, b packages.Error) int { return cmp.Compare(a.Kind, b.Kind) }))
	}
	f.at = e.Pos()
	var fn *ssa.Function
	switch e := ast.Unparen(e).(type) {
	case *ast.FuncLit:
		fn = in.functions[key(nil, e.Type.Func)]
	case *ast.Ident:
		if obj := in.info.ObjectOf(e); in.inits[obj] != nil && !f.prog.assigned[variable(obj)] {
			return f.registered(in, in.inits[obj])
		}
		fn = f.prog.function(in.info.ObjectOf(e))
	case *ast.SelectorExpr:
		fn = f.prog.function(in.info.ObjectOf(e.Sel))
	case *ast.IndexExpr:
		return f.registered(in, e.X)
	case *ast.CallExpr:
		if in.info.Types[e.Fun].IsType() {
			return f.registered(in, e.Args[0])
		}
		if c, ok := f.returned(in, e); ok {
			return c
		}
	}
	if fn == nil || len(fn.Blocks) == 0 {
		f.fail("%s, which is set outside the function", types.ExprString(e))
	}
	return &closure{fn: fn}
}

// returned returns the function that a call returns.
func (f *frame) returned(in *source, e *ast.CallExpr) (*closure, bool) {
	for _, fn := range in.functions {
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				if call, ok := instr.(*ssa.Call); ok && call.Pos() == e.Lparen {
					c, ok := f.outside().get(call).(*closure)
					return c, ok
				}
			}
		}
	}
	return nil, false
}
