// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package migrate

import (
	"context"
	"fmt"
	"go/token"
	"go/types"
	"iter"
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
	sources   map[string]*source          // by import path; nil for packages that cannot be loaded
	names     map[string]string           // of the packages of objects, by import path, and back
	tables    map[*types.Var][]*types.Var // the columns of tables of indexes, by the column of the function
}

// A source is a package with its syntax.
type source struct {
	*packages.Package
	prog      *program
	own       bool                     // it is of the main module, or of one of the workspace
	ssa       *ssa.Package             // see built
	all       []*ssa.Function          // with those in them
	functions map[string]*ssa.Function // that are declared, by their full name
}

func loadProgram(ctx context.Context, dir string, patterns []string) (*program, error) {
	p := &program{ctx: ctx, dir: dir, fset: token.NewFileSet(), sources: map[string]*source{}, names: map[string]string{}, tables: map[*types.Var][]*types.Var{}}
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
	prog := ssa.NewProgram(p.fset, 0)
	for _, pkg := range found {
		if pkg.Types == nil || len(pkg.Syntax) == 0 {
			for _, e := range pkg.Errors {
				return nil, fmt.Errorf("%s: %s", pkg.PkgPath, e.Msg)
			}
			continue
		}
		s := &source{Package: pkg, prog: p, own: pkg.Module != nil && pkg.Module.Main}
		if len(pkg.Errors) == 0 {
			s.ssa = prog.CreatePackage(s.Types, s.Syntax, s.TypesInfo, false)
		}
		p.sources[pkg.PkgPath] = s
		out = append(out, s)
	}
	for _, s := range out {
		create(prog, s.Types.Imports())
	}
	return out, err
}

// create adds packages to a program, without the bodies of their functions.
func create(prog *ssa.Program, imports []*types.Package) {
	for _, pkg := range imports {
		if prog.Package(pkg) == nil {
			prog.CreatePackage(pkg, nil, nil, true)
			create(prog, pkg.Imports())
		}
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

// changes reports whether an instruction may change what is at an address that it gets. It assumes that functions which
// get the address of a part of a variable only read it.
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
