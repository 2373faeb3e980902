// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package handlers

import (
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/indexer-gen/indexer-gen/generator/vet/internal/program"
)

// CachePackage is the package of client-go's informers.
const CachePackage = "k8s.io/client-go/tools/cache"

const (
	controller = "sigs.k8s.io/controller-runtime/pkg/"
	ours       = "github.com/indexer-gen/indexer-gen/runtime/informer"
)

// Param is a parameter that is, or has in fields, an object of a cache.
type Param struct {
	Func   *ssa.Function
	Index  int
	Fields []int  // of a struct with objects; none if the parameter is the object
	What   string // for messages, such as "OnUpdate"
	// Delete says that the parameter may be a tombstone: it is untyped, of a handler of deletions.
	Delete bool
}

// Find returns the parameters of functions of the package that get objects of a cache.
func Find(p *program.Program) []Param {
	var f finder
	for _, fn := range p.Functions {
		f.methods(fn)
		f.events(fn)
		for _, block := range fn.Blocks {
			for _, instr := range block.Instrs {
				f.registration(instr)
			}
		}
	}
	return f.found
}

type finder struct {
	found []Param
	seen  map[[2]any]bool
}

func (f *finder) add(p Param) {
	if p.Func == nil || len(p.Func.Blocks) == 0 || p.Index >= len(p.Func.Params) {
		return
	}
	key := [2]any{p.Func.Params[p.Index], p.Delete}
	if !f.seen[key] {
		if f.seen == nil {
			f.seen = map[[2]any]bool{}
		}
		f.seen[key] = true
		f.found = append(f.found, p)
	}
}

// methods finds the methods of types that implement a handler of informers.
func (f *finder) methods(fn *ssa.Function) {
	recv := fn.Signature.Recv()
	if recv == nil || !strings.HasPrefix(fn.Name(), "On") {
		return
	}
	for _, name := range []string{"OnAdd", "OnUpdate", "OnDelete"} {
		if obj, _, _ := types.LookupFieldOrMethod(recv.Type(), true, fn.Pkg.Pkg, name); obj == nil {
			return
		}
	}
	switch fn.Name() {
	case "OnAdd", "OnUpdate", "OnDelete":
		f.callback(fn, fn.Name(), 1)
	}
}

// callback adds the objects of a handler, whose parameters begin at first.
func (f *finder) callback(fn *ssa.Function, what string, first int) {
	if fn == nil {
		return
	}
	deletes := what == "OnDelete" || what == "DeleteFunc" || what == "FilterFunc"
	for i, p := range fn.Params[min(first, len(fn.Params)):] {
		if _, isInterface := p.Type().Underlying().(*types.Interface); isInterface || isPointer(p.Type()) {
			f.add(Param{Func: fn, Index: first + i, What: what, Delete: deletes && isInterface})
			continue
		}
		fields := append(objectFields(p.Type(), ours, "Tombstone"), objectFields(p.Type(), CachePackage, "DeletedObject")...)
		if fields != nil {
			f.add(Param{Func: fn, Index: first + i, Fields: fields, What: what})
		}
	}
}

// events finds parameters of the types of events of controller-runtime. Generic events may have any object.
func (f *finder) events(fn *ssa.Function) {
	for i, p := range fn.Params {
		for _, name := range []string{"CreateEvent", "UpdateEvent", "DeleteEvent"} {
			if fields := objectFields(p.Type(), controller+"event", name); fields != nil {
				f.add(Param{Func: fn, Index: i, Fields: fields, What: name})
			}
		}
	}
}

// registration finds functions that become handlers in an instruction.
func (f *finder) registration(instr ssa.Instruction) {
	switch instr := instr.(type) {
	case *ssa.Store:
		field, ok := instr.Addr.(*ssa.FieldAddr)
		if !ok {
			return
		}
		pkg, name := Named(field.X.Type())
		member := fieldName(field)
		if (pkg == CachePackage || pkg == ours) && strings.Contains(name, "Handler") && strings.HasSuffix(member, "Func") {
			f.function(instr.Val, member)
		}
	case *ssa.ChangeType:
		if pkg, name := Named(instr.Type()); pkg == controller+"handler" && strings.HasSuffix(name, "MapFunc") {
			f.function(instr.X, "MapFunc")
		}
	case *ssa.Call:
		callee := instr.Call.StaticCallee()
		if callee != nil && callee.Pkg != nil && callee.Pkg.Pkg.Path() == controller+"predicate" && callee.Name() == "NewPredicateFuncs" {
			f.function(instr.Call.Args[0], "predicate")
		}
	}
}

// function adds the parameters of a function that is a value.
func (f *finder) function(v ssa.Value, what string) {
	switch v := v.(type) {
	case *ssa.ChangeType:
		f.function(v.X, what)
	case *ssa.MakeClosure:
		fn := v.Fn.(*ssa.Function)
		if method, ok := fn.Object().(*types.Func); ok && fn.Synthetic != "" { // a bound method
			f.callback(fn.Prog.FuncValue(method), what, 1)
			return
		}
		f.callback(fn, what, 0)
	case *ssa.Function:
		f.callback(v, what, 0)
	}
}

// objectFields returns the fields of a named struct of a package that hold objects.
func objectFields(t types.Type, pkgPath, name string) (fields []int) {
	pkg, typeName := Named(t)
	s, ok := t.Underlying().(*types.Struct)
	if !ok || pkg != pkgPath || strings.TrimPrefix(typeName, "Typed") != name {
		return nil
	}
	for i := range s.NumFields() {
		if n := s.Field(i).Name(); strings.HasPrefix(n, "Object") || n == "LastSeen" || n == "OptionalObj" {
			fields = append(fields, i)
		}
	}
	return fields
}

// Named returns the package path, without that of a vendor directory, and the name of a type or of what it points to.
func Named(t types.Type) (pkg, name string) {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	n, ok := types.Unalias(t).(*types.Named)
	if !ok || n.Obj().Pkg() == nil {
		return "", ""
	}
	return Path(n.Obj().Pkg()), n.Obj().Name()
}

// Path returns the path of a package, without that of a vendor directory.
func Path(pkg *types.Package) string {
	path := pkg.Path()
	if i := strings.LastIndex(path, "/vendor/"); i >= 0 {
		return path[i+len("/vendor/"):]
	}
	return path
}

func isPointer(t types.Type) bool {
	_, ok := types.Unalias(t).(*types.Pointer)
	return ok
}

func fieldName(f *ssa.FieldAddr) string {
	return f.X.Type().Underlying().(*types.Pointer).Elem().Underlying().(*types.Struct).Field(f.Field).Name()
}
