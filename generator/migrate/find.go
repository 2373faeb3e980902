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
	"regexp"
	"strings"

	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/indexer-gen/indexer-gen/generator/internal/gotypes"
)

// find returns the indexes that the requested packages add, and the places that ask an index.
func (p *program) find() (added []*function, reads []Read, err error) {
	for _, s := range p.requested {
		if len(s.Errors) > 0 {
			var all []packages.Error // those of imports are the reason of others
			packages.Visit([]*packages.Package{s.Package}, nil, func(p *packages.Package) { all = append(all, p.Errors...) })
			const why = "package %s does not compile, so its index functions cannot be read: %w"
			err = errors.Join(err, fmt.Errorf(why, s.PkgPath, all[0]))
			continue
		}
		for _, file := range s.Syntax {
			ast.PreorderStack(file, nil, func(n ast.Node, around []ast.Node) bool {
				at, of, all := s.together(n, around)
				if s.asks(n, of) {
					reads = append(reads, s.read(at, around, all)...)
				}
				if f := s.group(at, of, all); f != nil {
					added = append(added, f)
				}
				return true
			})
		}
	}
	return added, reads, err
}

// together returns expressions that may be a function and the name of its index: the arguments of a call, the values of
// a struct, or the key and the value of a map. It returns the type of the struct or the map.
func (s *source) together(n ast.Node, around []ast.Node) (at token.Pos, of types.Type, all []ast.Expr) {
	switch n := n.(type) {
	case *ast.CallExpr:
		if target, _ := indexFunction(s.TypesInfo.TypeOf(n)); target == "" { // it does not wrap a function
			return n.Lparen, types.Typ[types.Invalid], n.Args
		}
	case *ast.CompositeLit:
		for _, e := range n.Elts {
			if kv, ok := e.(*ast.KeyValueExpr); ok {
				e = kv.Value
			}
			all = append(all, e)
		}
		if of = s.TypesInfo.TypeOf(n); is[*types.Struct](of) {
			return n.Lbrace, of, all
		}
	case *ast.KeyValueExpr:
		if of = s.TypesInfo.TypeOf(around[len(around)-1].(ast.Expr)); is[*types.Map](of) {
			return n.Colon, of, []ast.Expr{n.Key, n.Value}
		}
	case *ast.IndexExpr:
		if set, ok := around[len(around)-1].(*ast.AssignStmt); ok && set.Lhs[0] == n {
			return n.Lbrack, s.TypesInfo.TypeOf(n.X), []ast.Expr{n.Index, set.Rhs[0]}
		}
	}
	return 0, types.Typ[types.Invalid], nil
}

// is reports whether a type, or that to which it points, is of a kind.
func is[T types.Type](t types.Type) bool {
	_, ok := gotypes.Deref(t).Underlying().(T)
	return ok
}

// named returns a type with a name, or that to which t points, or nil.
func named(t types.Type) *types.Named {
	n, _ := types.Unalias(gotypes.Deref(t)).(*types.Named)
	return n
}

// group returns the index function in some expressions: a function from an object to strings, and a name, which is the
// first text of a struct. An object is optional in calls. Maps are client-go's.
func (s *source) group(at token.Pos, of types.Type, all []ast.Expr) *function {
	f := &function{Answer: &Answer{Position: s.prog.position(at), Function: "a closure"}, in: s}
	row := is[*types.Struct](of)
	entry, isEntry := of.Underlying().(*types.Map)
	for i, e := range all {
		t := s.TypesInfo.TypeOf(e)
		if isEntry && i == 1 {
			t = entry.Elem()
		}
		target, object := indexFunction(t)
		name, isConst := s.constantOf(e)
		switch {
		case f.fn == nil && target != "":
			if f.fn, f.Target, f.object = e, target, cmp.Or(object, f.object); row {
				f.Position = s.prog.position(e.Pos())
			}
		case gotypes.IsText(t) && (f.Index == "" && (row || isConst) || f.fn == nil && !row):
			if f.Index, f.fixed = name, isConst; !isConst {
				f.Index = types.ExprString(e)
			}
		case rootType(t) != nil:
			f.object = rootType(t)
		}
	}
	if f.fn == nil || f.Index == "" || row && f.object == nil || isEntry && f.Target != ClientGo {
		return nil
	}
	if _, ok := ast.Unparen(f.fn).(*ast.FuncLit); !ok {
		f.Function = types.ExprString(f.fn)
	}
	f.Needless = strings.HasSuffix(f.Function, ".MetaNamespaceIndexFunc")
	if f.fn = s.function(f.fn); f.fn == nil {
		return nil
	}
	return f
}

// function returns a function as an expression: what a variable was set to, if that is one function. It returns nil
// for a parameter and a field, which are found where they are set, and for an element of a list, which is not found.
func (s *source) function(e ast.Expr) ast.Expr {
	name, _ := ast.Unparen(e).(*ast.Ident)
	switch x := ast.Unparen(e).(type) {
	case *ast.SelectorExpr:
		name = x.Sel
	case *ast.IndexExpr:
		if !is[*types.Signature](s.TypesInfo.TypeOf(x.X)) {
			return nil
		}
	}
	v, isVar := s.TypesInfo.Uses[name].(*types.Var)
	if !isVar || v.Parent() == v.Pkg().Scope() {
		return e
	} else if defs := s.prog.defs[id(v)]; len(defs) == 0 || defs[0].Node == nil {
		return nil
	}
	return cmp.Or(s.value(v), e)
}

// constantOf returns the value of a constant string, or of a variable that is set to one and does not change.
func (s *source) constantOf(e ast.Expr) (string, bool) {
	if id, ok := ast.Unparen(e).(*ast.Ident); ok {
		e = cmp.Or(s.value(s.TypesInfo.Uses[id]), e)
	}
	return s.text(e)
}

// objects matches client.Object, which may be an alias.
var objects = regexp.MustCompile(`^sigs\.k8s\.io/controller-runtime/pkg/.*\.Object$`)

// indexFunction returns the cache that takes functions of a type, or "", and the type of its objects if it is not an
// interface.
func indexFunction(t types.Type) (to Target, object *types.Named) {
	f, ok := t.Underlying().(*types.Signature)
	if !ok || f.Params().Len() != 1 || f.Results().Len() == 0 ||
		f.Results().At(0).Type().Underlying().String() != "[]string" {
		return "", nil
	}
	param, results := f.Params().At(0).Type(), f.Results()
	switch i, isInterface := param.Underlying().(*types.Interface); {
	case results.Len() == 1 && objects.MatchString(types.Unalias(param).String()):
		return ControllerRuntime, nil
	case results.Len() != 2 || results.At(1).Type().String() != "error":
	case isInterface && i.Empty():
		return ClientGo, nil
	case strings.HasPrefix(types.Unalias(t).String(), "k8s.io/client-go/tools/cache.TypedIndexFunc["):
		return ClientGo, rootType(param)
	}
	return "", nil
}

// rootType returns the type that t points to, if objects have it: a struct with metadata.
func rootType(t types.Type) *types.Named {
	if _, ok := types.Unalias(t).(*types.Pointer); !ok {
		return nil
	}
	if _, index, _ := types.LookupFieldOrMethod(t, false, nil, "ObjectMeta"); len(index) != 1 {
		return nil
	}
	return named(t)
}

// Read is a place where a program asks an index by a constant name.
type Read struct {
	Position
	Index string `json:"index"`
	kind  string // full name of the type of the objects; "" if the place does not tell
}

// asked matches the calls, and the maps that are field selectors, to which the name of an index is passed.
var asked = regexp.MustCompile(`^(sigs\.k8s\.io/controller-runtime/pkg/.*\.MatchingFields|` +
	`k8s\.io/apimachinery/pkg/fields\.(Set|OneTerm\w+)|` +
	`\(\*?k8s\.io/client-go/tools/cache\..*\)\.(ByIndex|IndexKeys|ListIndexFuncValues|Index))$`)

// asks reports whether an expression has the name of an index.
func (s *source) asks(n ast.Node, of types.Type) bool {
	if call, ok := n.(*ast.CallExpr); ok {
		fn, _ := typeutil.Callee(s.TypesInfo, call).(*types.Func)
		return fn != nil && asked.MatchString(fn.FullName())
	}
	return asked.MatchString(types.Unalias(of).String())
}

// read returns the read whose name is the first string of some expressions, if it is constant. Its kind is that of the
// list that a call around gets.
func (s *source) read(at token.Pos, around []ast.Node, all []ast.Expr) []Read {
	for _, e := range all {
		if !gotypes.IsText(s.TypesInfo.TypeOf(e)) {
			continue
		}
		index, isConst := s.constantOf(e)
		if !isConst {
			return nil
		}
		r := Read{Position: s.prog.position(at), Index: index}
		for _, n := range around { // innermost last
			call, _ := n.(*ast.CallExpr)
			for i := 0; call != nil && i < len(call.Args); i++ {
				list := named(s.TypesInfo.TypeOf(call.Args[i]))
				if list != nil && strings.HasSuffix(list.Obj().Name(), "List") && !types.IsInterface(list) {
					r.kind = strings.TrimSuffix(fullName(list), "List")
				}
			}
		}
		return []Read{r}
	}
	return nil
}

func fullName(t *types.Named) string { return types.TypeString(t, nil) }
