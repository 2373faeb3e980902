// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package migrate

import (
	"cmp"
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/indexer-gen/indexer-gen/generator/internal/gotypes"
)

const (
	toolsCache = "k8s.io/client-go/tools/cache"
	selectors  = "k8s.io/apimachinery/pkg/fields"
	ctrl       = "sigs.k8s.io/controller-runtime/pkg/" // its packages
)

// A registration is a place where a program adds an index to a cache.
type registration struct {
	in       *source
	at       token.Pos
	target   Target
	object   types.Type // of client.Object, or nil if only the function tells
	name, fn ast.Expr
}

// find returns the indexes that the requested packages add, and the places that ask an index.
func (p *program) find() (added []*registration, reads []Read, err error) {
	for _, s := range p.requested {
		if len(s.Errors) > 0 {
			why := slices.MaxFunc(s.Errors, func(a, b packages.Error) int { return cmp.Compare(a.Kind, b.Kind) })
			for _, imported := range s.Imports {
				if len(imported.Errors) > 0 {
					why = imported.Errors[0]
				}
			}
			err = errors.Join(err, fmt.Errorf("package %s does not compile, so its index functions cannot be read: %w", s.PkgPath, why))
			continue
		}
		s.each(func(n ast.Node, around []ast.Node) {
			switch n := n.(type) {
			case *ast.CallExpr:
				if s.asks(n) {
					reads = append(reads, s.read(n.Lparen, s.listed(around), n.Args)...)
				}
				if !isIndexFunction(s.TypesInfo.TypeOf(n)) { // it does not wrap a function
					added = append(added, s.group(n.Lparen, n.Args, false)...)
				}
			case *ast.CompositeLit:
				added = append(added, s.row(n)...)
				for _, elem := range n.Elts {
					if kv, ok := elem.(*ast.KeyValueExpr); ok {
						s.entry(n, kv.Key, kv.Value, kv.Colon, around, &added, &reads)
					}
				}
			case *ast.AssignStmt:
				for i, left := range n.Lhs {
					if at, ok := left.(*ast.IndexExpr); ok && len(n.Lhs) == len(n.Rhs) {
						s.entry(at.X, at.Index, n.Rhs[i], at.Lbrack, around, &added, &reads)
					}
				}
			}
		})
	}
	before := func(x, y Position) int {
		return cmp.Or(cmp.Compare(x.File, y.File), cmp.Compare(x.Line, y.Line), cmp.Compare(x.Column, y.Column))
	}
	slices.SortFunc(added, func(a, b *registration) int { return before(p.position(a.at), p.position(b.at)) })
	slices.SortFunc(reads, func(a, b Read) int { return before(a.Position, b.Position) })
	return added, reads, err
}

// each calls f for all nodes of the package, with those around them.
func (s *source) each(f func(n ast.Node, around []ast.Node)) {
	for _, file := range s.Syntax {
		ast.PreorderStack(file, nil, func(n ast.Node, around []ast.Node) bool { f(n, around); return true })
	}
}

// entry finds an index that is an entry of a map, or a read.
func (s *source) entry(of, key, value ast.Expr, at token.Pos, around []ast.Node, added *[]*registration, reads *[]Read) {
	t := s.TypesInfo.TypeOf(of)
	if t == nil {
		return
	} else if declared(t, ctrl) == "MatchingFields" || declared(t, selectors) == "Set" {
		*reads = append(*reads, s.read(at, s.listed(around), []ast.Expr{key})...)
	}
	m, isMap := t.Underlying().(*types.Map)
	if !isMap {
		return
	}
	if target, object := indexFunction(m.Elem()); target == ClientGo {
		if r := (&registration{s, at, target, object, key, value}); r.function() != nil {
			*added = append(*added, r)
		}
	}
}

// group returns the registration in the arguments of a call or in a row of a table: a function from an object to strings,
// and a name, which is the first text of a row. The object is optional.
func (s *source) group(at token.Pos, all []ast.Expr, row bool) []*registration {
	r := &registration{in: s, at: at}
	for _, e := range all {
		t := s.TypesInfo.TypeOf(e)
		target, object := indexFunction(t)
		_, isConst := s.constantOf(e)
		switch {
		case t == nil:
		case r.fn == nil && target != "":
			r.fn, r.target, r.object = e, target, cmp.Or(object, r.object)
		case gotypes.IsText(t) && (r.name == nil && (row || isConst) || r.fn == nil && !row):
			r.name = e
		case rootType(t) != nil:
			r.object = t
		}
	}
	if r.fn == nil || r.name == nil || r.function() == nil {
		return nil
	}
	return []*registration{r}
}

// row returns the registration in a struct that has a function, its name and its object.
func (s *source) row(lit *ast.CompositeLit) []*registration {
	var all []ast.Expr
	at := lit.Pos()
	for _, elem := range lit.Elts {
		value, pos := elem, elem.Pos()
		if kv, ok := elem.(*ast.KeyValueExpr); ok {
			value, pos = kv.Value, kv.Colon
		}
		if all = append(all, value); isIndexFunction(s.TypesInfo.TypeOf(value)) {
			at = pos
		}
	}
	if _, ok := gotypes.StructOf(s.TypesInfo.TypeOf(lit)); ok {
		return slices.DeleteFunc(s.group(at, all, true), func(r *registration) bool { return r.object == nil })
	}
	return nil
}

// function returns the function as an expression: what a variable was set to, if that is one function. It returns nil
// for a parameter and a field, which are found where they are set, and for an element of a list, which is not found.
func (r *registration) function() ast.Expr {
	switch e := ast.Unparen(r.fn).(type) {
	case *ast.SelectorExpr:
		if x, ok := r.in.TypesInfo.Selections[e]; ok && x.Kind() == types.FieldVal {
			return nil
		}
	case *ast.IndexExpr:
		if _, isFunc := r.in.TypesInfo.TypeOf(e.X).Underlying().(*types.Signature); !isFunc {
			return nil
		}
	case *ast.Ident:
		v, isVar := r.in.TypesInfo.Uses[e].(*types.Var)
		if !isVar || v.Parent() == v.Pkg().Scope() {
			break
		}
		switch defs := r.in.prog.defs[id(v)]; {
		case len(defs) == 0 || defs[0].Node == nil:
			return nil
		case len(defs) == 1:
			return r.in.value(v)
		}
	}
	return r.fn
}

// constantOf returns the value of a constant string, or of a variable that is set to one and does not change.
func (s *source) constantOf(e ast.Expr) (string, bool) {
	if id, ok := ast.Unparen(e).(*ast.Ident); ok {
		e = cmp.Or(s.value(s.TypesInfo.Uses[id]), e)
	}
	return s.text(e)
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

func isIndexFunction(t types.Type) bool { target, _ := indexFunction(t); return target != "" }

// declared returns the name of a type if it is declared in a package whose path begins with prefix, or "".
func declared(t types.Type, prefix string) string {
	if named, ok := types.Unalias(t).(*types.Named); ok && named.Obj().Pkg() != nil && strings.HasPrefix(named.Obj().Pkg().Path(), prefix) {
		return named.Obj().Name()
	}
	return ""
}

// rootType returns the type that t points to, if objects have it: a struct with metadata.
func rootType(t types.Type) *types.Named {
	p, ok := types.Unalias(t).(*types.Pointer)
	if !ok {
		return nil
	}
	named, ok := types.Unalias(p.Elem()).(*types.Named)
	if !ok {
		return nil
	}
	s, ok := named.Underlying().(*types.Struct)
	if !ok || !slices.ContainsFunc(slices.Collect(s.Fields()), func(v *types.Var) bool { return v.Name() == "ObjectMeta" }) {
		return nil
	}
	return named
}
