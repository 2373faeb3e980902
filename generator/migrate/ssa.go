// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package migrate

import (
	"go/types"
	"iter"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// built returns the package in SSA form, with the bodies of its functions, or nil if it does not compile.
func (s *source) built() *ssa.Package {
	if s.ssa == nil || s.functions != nil {
		return s.ssa
	}
	s.ssa.Build()
	s.functions = map[string]*ssa.Function{}
	for _, m := range s.ssa.Members {
		switch m := m.(type) {
		case *ssa.Function:
			s.add(m)
		case *ssa.Type:
			if named, ok := m.Type().(*types.Named); ok {
				for method := range named.Methods() {
					if fn := s.ssa.Prog.FuncValue(method); fn != nil { // it is not of an interface
						s.add(fn)
					}
				}
			}
		}
	}
	return s.ssa
}

// add adds a function, and those in it.
func (s *source) add(fn *ssa.Function) {
	s.all = append(s.all, fn)
	if obj, ok := fn.Object().(*types.Func); ok {
		s.functions[obj.FullName()] = fn
	}
	for _, inner := range fn.AnonFuncs {
		s.add(inner)
	}
}

// function returns a function with its body, or nil. Its package is loaded if it was not.
func (p *program) function(obj types.Object) *ssa.Function {
	fn, ok := obj.(*types.Func)
	if !ok || fn.Pkg() == nil {
		return nil
	}
	s := p.source(fn.Pkg().Path())
	if s == nil || s.built() == nil {
		return nil
	}
	return s.functions[fn.Origin().FullName()]
}

// instructions yields the instructions of the package.
func (s *source) instructions() iter.Seq[ssa.Instruction] {
	return func(yield func(ssa.Instruction) bool) {
		for _, fn := range s.all {
			for _, b := range fn.Blocks {
				for _, instr := range b.Instrs {
					if !yield(instr) {
						return
					}
				}
			}
		}
	}
}

// constant reports whether the functions that are known leave a variable of a package as it is initialized.
func (p *program) constant(v *ssa.Global) bool {
	for _, s := range p.sources {
		if s == nil {
			continue
		}
		for instr := range s.instructions() {
			for _, op := range instr.Operands(nil) {
				g, ok := (*op).(*ssa.Global)
				if ok && g.RelString(nil) == v.RelString(nil) && instr.Parent().Synthetic == "" && changes(g, instr) {
					return false
				}
			}
		}
	}
	return true
}

// changes reports whether an instruction that gets the address of a variable, or of a part, may change what is there. A
// function that gets the address of a part does not.
func changes(at ssa.Value, instr ssa.Instruction) bool {
	switch x := instr.(type) {
	case *ssa.UnOp:
		return false
	case *ssa.Store:
		return x.Addr == at
	case *ssa.FieldAddr, *ssa.IndexAddr:
		part := x.(ssa.Value)
		return slices.ContainsFunc(*part.Referrers(), func(r ssa.Instruction) bool { return changes(part, r) })
	}
	_, whole := at.(*ssa.Global)
	return whole
}
