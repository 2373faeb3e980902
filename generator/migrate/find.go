// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package migrate

import (
	"go/ast"
	"go/constant"
	"go/types"
	"strings"

	"github.com/indexer-gen/indexer-gen/generator/internal/gotypes"
)

const (
	toolsCache = "k8s.io/client-go/tools/cache"
	ctrlClient = "sigs.k8s.io/controller-runtime/pkg/client"
)

// A registration is a place where a program adds an index to a cache.
type registration struct {
	in     *source
	target Target
	object types.Type // of client.Object, or nil if only the function tells
	name   ast.Expr
	fn     ast.Expr
}

// find returns the indexes that the requested packages add, and the places that ask an index.
func (p *program) find() (added []*registration, reads []Read) {
	for _, s := range p.requested {
		for _, file := range s.Syntax {
			kinds := map[ast.Expr]string{} // of the lists that literals select from
			ast.Inspect(file, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.CallExpr:
					for i, arg := range n.Args {
						if i > 1 {
							kinds[arg] = s.listed(n.Args[1])
						}
					}
					if s.asks(n.Fun) && len(n.Args) > 0 {
						reads = append(reads, s.read(n.Args[0], "")...)
					}
					added = append(added, s.group(n.Args)...)
				case *ast.CompositeLit:
					t, fields := s.info.TypeOf(n), []ast.Expr(nil)
					for _, e := range n.Elts {
						pair, ok := e.(*ast.KeyValueExpr)
						switch {
						case !ok:
							fields = append(fields, e)
						case indexers(t) != nil:
							added = append(added, s.indexer(pair.Key, pair.Value, t)...)
						case types.TypeString(t, nil) == ctrlClient+".MatchingFields":
							reads = append(reads, s.read(pair.Key, kinds[n])...)
						default:
							fields = append(fields, pair.Value)
						}
					}
					added = append(added, s.group(fields)...)
				case *ast.AssignStmt:
					if at, ok := n.Lhs[0].(*ast.IndexExpr); ok && len(n.Rhs) == 1 && indexers(s.info.TypeOf(at.X)) != nil {
						added = append(added, s.indexer(at.Index, n.Rhs[0], s.info.TypeOf(at.X))...)
					}
				}
				return true
			})
		}
	}
	return added, reads
}

// indexers returns the type of the functions if t is cache.Indexers, cache.TypedIndexers, or a map like these.
func indexers(t types.Type) *types.Named {
	if t == nil {
		return nil
	}
	m, ok := t.Underlying().(*types.Map)
	if !ok {
		return nil
	}
	named, ok := types.Unalias(m.Elem()).(*types.Named)
	if !ok || named.Obj().Pkg() == nil || named.Obj().Pkg().Path() != toolsCache || !strings.HasSuffix(named.Obj().Name(), "IndexFunc") {
		return nil
	}
	return named
}

// indexer returns the registration that is an entry of cache.Indexers.
func (s *source) indexer(name, fn ast.Expr, t types.Type) []*registration {
	r := &registration{in: s, target: ClientGo, name: name, fn: fn}
	if args := indexers(t).TypeArgs(); args.Len() == 1 {
		r.object = args.At(0)
	}
	return s.own(r)
}

// group returns the registration that is in the arguments of a call or the fields of a struct: a function from an
// object to strings, and a name. The object is optional.
func (s *source) group(es []ast.Expr) []*registration {
	r := &registration{in: s}
	for _, e := range es {
		tv := s.info.Types[e]
		switch {
		case tv.Type == nil:
		case (r.fn == nil || r.name == nil) && tv.Value != nil && tv.Value.Kind() == constant.String, r.fn == nil && gotypes.IsText(tv.Type):
			r.name = e
		case r.fn == nil && indexFunction(tv.Type) != "" && !tv.IsNil():
			r.fn, r.target = e, indexFunction(tv.Type)
		default:
			if t := s.root(e); t != nil {
				r.object = t
			}
		}
	}
	if r.fn == nil || r.name == nil || s.info.Types[r.fn].IsType() {
		return nil
	}
	return s.own(r)
}

// own returns r unless its function comes from somewhere else, where it is found.
func (s *source) own(r *registration) []*registration {
	if s.passedOn(r.fn) {
		return nil
	}
	return []*registration{r}
}

// root returns the type of an object, or of the object that a variable of an interface is set to, or nil.
func (s *source) root(e ast.Expr) types.Type {
	id, _ := ast.Unparen(e).(*ast.Ident)
	for _, e := range []ast.Expr{s.inits[s.info.ObjectOf(id)], e} {
		if t := s.info.TypeOf(e); rootType(t) != nil {
			return t
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
