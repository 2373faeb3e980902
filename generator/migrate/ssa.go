// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package migrate

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

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
	return s.ssa
}

// function returns a declared function with its body, or nil. Its package is loaded if it was not.
func (p *program) function(fn *types.Func) *ssa.Function {
	if fn == nil || fn.Pkg() == nil {
		return nil
	}
	s := p.source(fn.Pkg().Path())
	if s == nil || s.built() == nil {
		return nil
	}
	scope := s.types.Scope()
	if recv := fn.Signature().Recv(); recv != nil {
		named, ok := types.Unalias(deref(recv.Type())).(*types.Named)
		if !ok {
			return nil
		}
		own, _ := scope.Lookup(named.Obj().Name()).(*types.TypeName)
		if own == nil || types.IsInterface(own.Type()) {
			return nil
		}
		method, _, _ := types.LookupFieldOrMethod(own.Type(), true, s.types, fn.Name())
		fn, _ = method.(*types.Func)
	} else {
		fn, _ = scope.Lookup(fn.Name()).(*types.Func)
	}
	if fn == nil {
		return nil
	}
	return s.ssa.Prog.FuncValue(fn)
}

// enclosing returns the function of a package in which a position is, of several the innermost.
func (s *source) enclosing(pos token.Pos) (out *ssa.Function) {
	for _, file := range s.Syntax {
		for _, d := range file.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Pos() <= pos && pos < fn.End() {
				out = s.prog.function(s.info.Defs[fn.Name].(*types.Func))
			} else if !ok && d.Pos() <= pos && pos < d.End() {
				out = s.built().Func("init")
			}
		}
	}
	for out != nil {
		i := slices.IndexFunc(out.AnonFuncs, func(fn *ssa.Function) bool {
			return fn.Syntax() != nil && fn.Syntax().Pos() <= pos && pos < fn.Syntax().End()
		})
		if i < 0 {
			break
		}
		out = out.AnonFuncs[i]
	}
	return out
}

// body returns a function with its body, or nil.
func (p *program) body(fn *ssa.Function) *ssa.Function {
	if fn.Origin() != nil {
		fn = fn.Origin()
	}
	if len(fn.Blocks) == 0 {
		obj, _ := fn.Object().(*types.Func)
		fn = p.function(obj)
	}
	if fn == nil || len(fn.Blocks) == 0 {
		return nil
	}
	return fn
}

// stores returns the values that are stored to a variable, or to its fields, in the order of the source.
func stores(v ssa.Value) (out []*ssa.Store, ok bool) {
	var referrers []ssa.Instruction
	switch v := v.(type) {
	case *ssa.Global: // in the initializer of its package
		for _, b := range v.Pkg.Func("init").Blocks {
			for _, instr := range b.Instrs {
				if store, ok := instr.(*ssa.Store); ok && store.Addr == v {
					out = append(out, store)
				}
			}
		}
		return out, len(out) == 1
	default:
		referrers = *v.Referrers()
	}
	for _, r := range referrers {
		switch r := r.(type) {
		case *ssa.Store:
			if r.Addr == v {
				out = append(out, r)
			}
		case *ssa.FieldAddr:
			below, ok := stores(r)
			if !ok {
				return nil, false
			}
			out = append(out, below...)
		case *ssa.IndexAddr:
			below, ok := stores(r)
			if !ok {
				return nil, false
			}
			out = append(out, below...)
		case *ssa.MakeClosure:
			at := slices.Index(r.Bindings, v)
			if inner, ok := stores(r.Fn.(*ssa.Function).FreeVars[at]); !ok || len(inner) > 0 {
				return nil, false
			}
		case *ssa.UnOp, *ssa.Slice, *ssa.DebugRef:
		default:
			return nil, false
		}
	}
	return out, true
}
