// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package migrate

import (
	"cmp"
	"errors"
	"fmt"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/go/ssa"

	"github.com/indexer-gen/indexer-gen/generator/internal/gotypes"
)

const (
	toolsCache = "k8s.io/client-go/tools/cache"
	ctrl       = "sigs.k8s.io/controller-runtime/pkg/" // its packages
)

// A registration is a place where a program adds an index to a cache.
type registration struct {
	in       *source
	at       token.Pos
	target   Target
	object   types.Type // of client.Object, or nil if only the function tells
	name, fn ssa.Value
}

// find returns the indexes that the requested packages add, and the places that ask an index.
func (p *program) find() (added []*registration, reads []Read, err error) {
	for _, s := range p.requested {
		if !s.mentions() {
			continue
		}
		if s.built() == nil {
			why := slices.MaxFunc(s.Errors, func(a, b packages.Error) int { return cmp.Compare(a.Kind, b.Kind) })
			err = errors.Join(err, fmt.Errorf("package %s does not compile, so its index functions cannot be read: %w", s.PkgPath, why))
			continue
		}
		for instr := range s.instructions() {
			switch x := instr.(type) {
			case ssa.CallInstruction:
				call := x.Common()
				if asks(call) {
					reads = append(reads, s.read(call.Pos(), "", call.Args)...)
				}
				if v := x.Value(); v == nil || !isIndexFunction(v.Type()) { // it does not wrap a function
					added = append(added, s.group(call.Pos(), call.Args)...)
				}
			case *ssa.MapUpdate:
				if declared(x.Map.Type(), ctrl) == "MatchingFields" {
					reads = append(reads, s.read(x.Pos(), listed(x.Map), []ssa.Value{x.Key})...)
				}
				if target, _ := indexFunction(x.Value.Type()); target == ClientGo {
					added = append(added, s.group(x.Pos(), []ssa.Value{x.Key, x.Value})...)
				}
			}
		}
	}
	for _, s := range p.requested {
		for instr := range s.instructions() {
			if store, ok := instr.(*ssa.Store); ok {
				added = append(added, s.row(store)...)
			}
		}
	}
	before := func(x, y Position) int {
		return cmp.Or(cmp.Compare(x.File, y.File), cmp.Compare(x.Line, y.Line), cmp.Compare(x.Column, y.Column))
	}
	slices.SortFunc(added, func(a, b *registration) int { return before(p.position(a.at), p.position(b.at)) })
	slices.SortFunc(reads, func(a, b Read) int { return before(a.Position, b.Position) })
	return added, reads, err
}

// mentions reports whether a package has anything to do with indexes.
func (s *source) mentions() bool {
	for _, tv := range s.TypesInfo.Types {
		if isIndexFunction(tv.Type) || declared(tv.Type, toolsCache) != "" || declared(tv.Type, ctrl) == "MatchingFields" {
			return true
		}
	}
	return false
}

// group returns the registration that is an entry of a map, or in the arguments of a call or a row of a table: a function
// from an object to strings, and a name. The object is optional. If a call gets the function and the name from a struct,
// the struct is noted as a row of a table.
func (s *source) group(at token.Pos, vs []ssa.Value) []*registration {
	r, columns := &registration{in: s, at: at}, []*types.Var(nil)
	for _, v := range vs {
		target, object := indexFunction(v.Type())
		_, isConst := constantOf(v)
		v = stripped(v)
		columns = append(columns, columnOf(v))
		switch {
		case r.fn == nil && target != "":
			r.fn, r.target, r.object = v, target, cmp.Or(object, r.object)
		case gotypes.IsText(v.Type()) && (r.fn == nil || r.name == nil && isConst):
			r.name = v
		case rootType(v.Type()) != nil:
			r.object = v.Type()
		}
	}
	if r.fn == nil || r.name == nil {
		return nil
	} else if field := columnOf(r.fn); field != nil {
		if columnOf(r.name) != nil {
			s.prog.tables[field] = append(s.prog.tables[field], columns...)
		}
	} else if !passedOn(r.fn) {
		return []*registration{r}
	}
	return nil
}

// row returns the registration of a row, if store sets the function of one.
func (s *source) row(store *ssa.Store) []*registration {
	fn, ok := store.Addr.(*ssa.FieldAddr)
	if !ok || s.prog.tables[column(fn)] == nil {
		return nil
	}
	var vs []ssa.Value
	for _, user := range *fn.X.Referrers() {
		if field, ok := user.(*ssa.FieldAddr); ok && field != fn && slices.Contains(s.prog.tables[column(fn)], column(field)) {
			for _, user := range *field.Referrers() {
				if set, ok := user.(*ssa.Store); ok {
					vs = append(vs, set.Val)
				}
			}
		}
	}
	return s.group(store.Pos(), append(vs, store.Val))
}

// column returns the field of a struct that has an address.
func column(at *ssa.FieldAddr) *types.Var {
	s, _ := gotypes.StructOf(at.X.Type())
	return s.Field(at.Field)
}

// columnOf returns the field of a struct from which a value is read, or nil.
func columnOf(v ssa.Value) *types.Var {
	switch x := v.(type) {
	case *ssa.UnOp:
		if at, ok := x.X.(*ssa.FieldAddr); ok {
			return column(at)
		}
	case *ssa.Field:
		s, _ := gotypes.StructOf(x.X.Type())
		return s.Field(x.Field)
	}
	return nil
}

// stripped returns v before it was converted to another type.
func stripped(v ssa.Value) ssa.Value {
	switch x := v.(type) {
	case *ssa.MakeInterface:
		return stripped(x.X)
	case *ssa.ChangeInterface:
		return stripped(x.X)
	case *ssa.ChangeType:
		return stripped(x.X)
	case *ssa.UnOp:
		if stores := assigned(captured(x.X)); len(stores) == 1 {
			return stripped(stores[0].Val)
		}
	}
	return v
}

// captured returns the variable of the function around a closure for one of the closure.
func captured(at ssa.Value) ssa.Value {
	free, ok := at.(*ssa.FreeVar)
	if !ok {
		return at
	}
	for _, user := range *free.Parent().Referrers() {
		if closure, ok := user.(*ssa.MakeClosure); ok {
			return captured(closure.Bindings[slices.Index(free.Parent().FreeVars, free)])
		}
	}
	return at
}

// assigned returns the assignments to a local variable, also by closures.
func assigned(at ssa.Value) (stores []*ssa.Store) {
	switch at.(type) {
	case *ssa.Alloc, *ssa.FreeVar:
	default:
		return nil
	}
	for _, user := range *at.Referrers() {
		switch user := user.(type) {
		case *ssa.Store:
			stores = append(stores, user)
		case *ssa.MakeClosure:
			stores = append(stores, assigned(user.Fn.(*ssa.Function).FreeVars[slices.Index(user.Bindings, at)])...)
		}
	}
	return stores
}

// indexFunction returns the cache that takes functions of a type, or "", and the type of its objects if it is not an
// interface.
func indexFunction(t types.Type) (to Target, object types.Type) {
	if t == nil {
		return "", nil
	}
	f, ok := t.Underlying().(*types.Signature)
	if !ok || f.Params().Len() != 1 || f.Results().Len() == 0 ||
		types.TypeString(f.Results().At(0).Type().Underlying(), nil) != "[]string" {
		return "", nil
	}
	param := f.Params().At(0).Type()
	switch i, isInterface := param.Underlying().(*types.Interface); {
	case f.Results().Len() == 1 && declared(param, ctrl) == "Object":
		return ControllerRuntime, nil
	case f.Results().Len() != 2 || types.TypeString(f.Results().At(1).Type(), nil) != "error":
	case isInterface && i.Empty():
		return ClientGo, nil
	case declared(t, toolsCache) == "TypedIndexFunc":
		return ClientGo, param
	}
	return "", nil
}

// declared returns the name of a type if it is declared in a package whose path begins with prefix, or "".
func declared(t types.Type, prefix string) string {
	if named, ok := types.Unalias(t).(*types.Named); ok && named.Obj().Pkg() != nil && strings.HasPrefix(named.Obj().Pkg().Path(), prefix) {
		return named.Obj().Name()
	}
	return ""
}

func isIndexFunction(t types.Type) bool { target, _ := indexFunction(t); return target != "" }

// passedOn reports whether a function is a parameter, which is found where it is passed, or an element, which is not found.
func passedOn(fn ssa.Value) bool {
	switch x := fn.(type) {
	case *ssa.Function, *ssa.MakeClosure, *ssa.Call:
		return false
	case *ssa.UnOp:
		_, isGlobal := x.X.(*ssa.Global)
		_, isLocal := x.X.(*ssa.Alloc)
		return !isGlobal && !isLocal
	}
	return true
}

// constantOf returns the value of a constant string.
func constantOf(v ssa.Value) (string, bool) {
	c, ok := stripped(v).(*ssa.Const)
	if !ok || c.Value == nil || c.Value.Kind() != constant.String {
		return "", false
	}
	return constant.StringVal(c.Value), true
}
