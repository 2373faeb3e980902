// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package program

import (
	"go/types"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// CachePackage is the package of client-go's informers.
const CachePackage = "k8s.io/client-go/tools/cache"

const (
	controllerRuntime = "sigs.k8s.io/controller-runtime/pkg/"
	informerPath      = "github.com/indexer-gen/indexer-gen/runtime/informer"
)

// eventTypes matches structs that have objects. Generic events may have any object.
var eventTypes = regexp.MustCompile("^(" + controllerRuntime + "event.(Typed)?(Create|Update|Delete)Event|" +
	CachePackage + ".DeletedObject|" + informerPath + ".Tombstone)$")

// Param is a parameter that is an object of a cache, or has one in a field.
type Param struct {
	Func  *ssa.Function
	Index int
	Field int    // or -1
	What  string // for messages, such as "OnUpdate"
	// Delete says that the parameter may be a tombstone: it is untyped, of a handler of deletions.
	Delete bool
}

// Find returns the parameters of functions of a package that get objects of a cache.
func Find(functions []*ssa.Function) []Param {
	var f paramFinder
	for _, fn := range functions {
		if isHandler(fn) {
			f.addHandlerParams(fn, fn.Name())
		}
		f.addEventStructParams(fn)
		for _, block := range fn.Blocks {
			for _, instr := range block.Instrs {
				f.addRegisteredHandlers(instr)
			}
		}
	}
	return f
}

type paramFinder []Param

// isHandler reports whether a function is a method of an informer's handler.
func isHandler(fn *ssa.Function) bool {
	methods := []string{"OnAdd", "OnUpdate", "OnDelete"}
	recv := fn.Signature.Recv()
	if recv == nil || !slices.Contains(methods, fn.Name()) {
		return false
	}
	var params []types.Type
	for _, name := range methods {
		obj, _, _ := types.LookupFieldOrMethod(recv.Type(), true, fn.Pkg.Pkg, name)
		method, ok := obj.(*types.Func)
		if !ok || method.Signature().Results().Len() > 0 {
			return false
		}
		for p := range method.Signature().Params().Variables() {
			if !types.Identical(p.Type(), types.Typ[types.Bool]) { // of OnAdd, since client-go v0.27
				params = append(params, p.Type())
			}
		}
	}
	return len(params) == 4 && types.Identical(params[0], params[1]) && types.Identical(params[0], params[2])
}

// addHandlerParams adds the objects that a handler gets.
func (f *paramFinder) addHandlerParams(fn *ssa.Function, what string) {
	deletes := what == "OnDelete" || what == "DeleteFunc" || what == "FilterFunc"
	for i, p := range fn.Params {
		if isPointerOrInterface(p.Type()) && p.Object() != fn.Signature.Recv() {
			*f = append(*f, Param{fn, i, -1, what, deletes && types.IsInterface(p.Type())})
		}
	}
}

func isPointerOrInterface(t types.Type) bool {
	_, isPointer := types.Unalias(t).(*types.Pointer)
	return isPointer || types.IsInterface(t)
}

// addEventStructParams finds parameters that have objects in fields.
func (f *paramFinder) addEventStructParams(fn *ssa.Function) {
	for i, p := range fn.Params {
		pkg, name := Named(p.Type())
		s, ok := p.Type().Underlying().(*types.Struct)
		for n := 0; ok && eventTypes.MatchString(pkg+"."+name) && n < s.NumFields(); n++ {
			if isPointerOrInterface(s.Field(n).Type()) {
				*f = append(*f, Param{fn, i, n, strings.TrimPrefix(name, "Typed"), false})
			}
		}
	}
}

// addRegisteredHandlers finds functions that become handlers in an instruction.
func (f *paramFinder) addRegisteredHandlers(instr ssa.Instruction) {
	switch instr := instr.(type) {
	case *ssa.Store:
		if field, ok := instr.Addr.(*ssa.FieldAddr); ok {
			pkg, name := Named(field.X.Type())
			if (pkg == CachePackage || pkg == informerPath) && strings.Contains(name, "Handler") {
				f.addFunctionValueParams(instr.Val, FieldOf(field).Name())
			}
		}
	case *ssa.ChangeType:
		if pkg, name := Named(instr.Type()); pkg == controllerRuntime+"handler" && strings.HasSuffix(name, "MapFunc") {
			f.addFunctionValueParams(instr.X, "MapFunc")
		}
	case *ssa.Call:
		callee := instr.Call.StaticCallee()
		if callee != nil && callee.String() == controllerRuntime+"predicate.NewPredicateFuncs" {
			f.addFunctionValueParams(instr.Call.Args[0], "predicate")
		}
	}
}

// addFunctionValueParams adds the parameters of a function that is a value.
func (f *paramFinder) addFunctionValueParams(v ssa.Value, what string) {
	switch v := v.(type) {
	case *ssa.ChangeType:
		f.addFunctionValueParams(v.X, what)
	case *ssa.MakeClosure:
		fn := v.Fn.(*ssa.Function)
		if method, ok := fn.Object().(*types.Func); ok { // a bound method
			fn = fn.Prog.FuncValue(method)
		}
		if fn != nil { // no method of an interface
			f.addHandlerParams(fn, what)
		}
	case *ssa.Function:
		f.addHandlerParams(v, what)
	}
}

// Named returns the package path and the name of a type or of what it points to.
func Named(t types.Type) (pkg, name string) {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	n, ok := types.Unalias(t).(*types.Named)
	if !ok || n.Obj().Pkg() == nil {
		return "", ""
	}
	return n.Obj().Pkg().Path(), n.Obj().Name()
}

// FieldOf returns the field that an instruction finds the address of.
func FieldOf(f *ssa.FieldAddr) *types.Var {
	return f.X.Type().Underlying().(*types.Pointer).Elem().Underlying().(*types.Struct).Field(f.Field)
}
