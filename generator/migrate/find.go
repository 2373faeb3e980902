// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package migrate

import (
	"cmp"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

const (
	toolsCache = "k8s.io/client-go/tools/cache"
	ctrlClient = "sigs.k8s.io/controller-runtime/pkg/client"
)

// A registration is a place where a program adds an index to a cache.
type registration struct {
	in     *source
	at     token.Pos
	target Target
	object types.Type // of client.Object, or nil if only the function tells
	name   ast.Expr
	fn     ast.Expr
}

// registrations finds the indexes that the requested packages add.
func (p *program) registrations() (out []*registration) {
	seen := map[token.Pos]bool{}
	for _, s := range p.requested {
		for _, file := range s.Syntax {
			ast.Inspect(file, func(n ast.Node) bool {
				for _, r := range s.registered(n) {
					if !s.passedOn(r.fn) && !seen[r.fn.Pos()] {
						seen[r.fn.Pos()] = true
						out = append(out, r)
					}
				}
				return true
			})
		}
	}
	slices.SortFunc(out, func(a, b *registration) int {
		x, y := p.position(a.at), p.position(b.at)
		return cmp.Or(strings.Compare(x.Filename, y.Filename), x.Line-y.Line, x.Column-y.Column)
	})
	return out
}

// registered returns the registrations that a node is.
func (s *source) registered(n ast.Node) []*registration {
	switch n := n.(type) {
	case *ast.CallExpr:
		if r := s.group(n, n.Args); r != nil {
			return []*registration{r}
		}
	case *ast.CompositeLit:
		if isIndexers(s.info.TypeOf(n)) {
			var out []*registration
			for _, e := range n.Elts {
				if pair, ok := e.(*ast.KeyValueExpr); ok {
					out = append(out, s.indexer(pair.Key, pair.Value, s.info.TypeOf(n)))
				}
			}
			return out
		}
		var fields []ast.Expr
		for _, e := range n.Elts {
			if pair, ok := e.(*ast.KeyValueExpr); ok {
				e = pair.Value
			}
			fields = append(fields, e)
		}
		if r := s.group(n, fields); r != nil {
			return []*registration{r}
		}
	case *ast.AssignStmt:
		if index, ok := n.Lhs[0].(*ast.IndexExpr); ok && len(n.Rhs) == 1 && isIndexers(s.info.TypeOf(index.X)) {
			return []*registration{s.indexer(index.Index, n.Rhs[0], s.info.TypeOf(index.X))}
		}
	}
	return nil
}

// isIndexers reports whether t is cache.Indexers or cache.TypedIndexers.
func isIndexers(t types.Type) bool {
	named, ok := types.Unalias(t).(*types.Named)
	return ok && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == toolsCache &&
		(named.Obj().Name() == "Indexers" || named.Obj().Name() == "TypedIndexers")
}

func (s *source) indexer(name, fn ast.Expr, t types.Type) *registration {
	r := &registration{in: s, at: name.Pos(), target: ClientGo, name: name, fn: fn}
	if named := types.Unalias(t).(*types.Named); named.TypeArgs().Len() == 1 {
		r.object = named.TypeArgs().At(0)
	}
	return r
}

// group returns the registration that is in the arguments of a call or the fields of a struct, or nil: a function
// from an object to strings, an object and a name.
func (s *source) group(n ast.Node, es []ast.Expr) *registration {
	r := &registration{in: s, at: n.Pos()}
	for _, e := range es {
		tv := s.info.Types[e]
		switch {
		case tv.Type == nil:
		case tv.Value != nil && tv.Value.Kind() == constant.String, r.fn == nil && isString(tv.Type):
			r.name = e
		case r.fn == nil && indexFunction(tv.Type) != "" && !tv.IsNil():
			r.fn, r.target = e, indexFunction(tv.Type)
		case rootType(tv.Type) != nil || s.root(e) != nil:
			if r.object = tv.Type; s.root(e) != nil {
				r.object = s.root(e)
			}
		case types.TypeString(tv.Type, nil) == ctrlClient+".Object":
		}
	}
	if r.fn == nil || r.name == nil || s.info.Types[r.fn].IsType() {
		return nil
	}
	return r
}

// root returns the type of an object that a variable of an interface is set to, or nil.
func (s *source) root(e ast.Expr) types.Type {
	if id, ok := ast.Unparen(e).(*ast.Ident); ok {
		if init := s.inits[s.info.ObjectOf(id)]; init != nil && rootType(s.info.TypeOf(init)) != nil {
			return s.info.TypeOf(init)
		}
	}
	return nil
}

// indexFunction returns the cache that takes functions of a type, or "".
func indexFunction(t types.Type) Target {
	f, ok := t.Underlying().(*types.Signature)
	if !ok || f.Params().Len() != 1 || f.Results().Len() == 0 ||
		types.TypeString(f.Results().At(0).Type().Underlying(), nil) != "[]string" {
		return ""
	}
	param := f.Params().At(0).Type()
	switch i, isInterface := param.Underlying().(*types.Interface); {
	case f.Results().Len() == 1 && types.TypeString(param, nil) == ctrlClient+".Object":
		return ControllerRuntime
	case f.Results().Len() == 2 && isInterface && i.Empty() && types.TypeString(f.Results().At(1).Type(), nil) == "error":
		return ClientGo
	}
	return ""
}

// passedOn reports whether e is a parameter or a field: the function comes from somewhere else, where it is found.
func (s *source) passedOn(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		v, ok := s.info.ObjectOf(e).(*types.Var)
		return ok && s.inits[v] == nil
	case *ast.SelectorExpr:
		sel := s.info.Selections[e]
		return sel != nil && sel.Kind() == types.FieldVal
	case *ast.CallExpr: // a conversion to the type of index functions
		return s.info.Types[e.Fun].IsType() && len(e.Args) == 1 && s.passedOn(e.Args[0])
	}
	return false
}
