// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package migrate

import (
	"cmp"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/indexer-gen/indexer-gen/generator/internal/gotypes"
)

// find returns the indexes that the requested packages add, and the places that ask an index.
func (p *program) find() (added []*function, reads []Read) {
	for _, s := range p.requested {
		if len(s.Errors) > 0 {
			var all []packages.Error // those of imports are the reason of others
			packages.Visit([]*packages.Package{s.Package}, nil, func(p *packages.Package) { all = append(all, p.Errors...) })
			p.breaks("package "+s.PkgPath+" does not compile, so its index functions cannot be read", all[0].Error())
			continue
		}
		for _, file := range s.Syntax {
			ast.PreorderStack(file, nil, func(n ast.Node, around []ast.Node) bool {
				for _, g := range s.groups(n) {
					reads = append(reads, s.read(n, g, around)...)
					if f := s.function(g); f != nil {
						added = append(added, f)
					}
				}
				return true
			})
		}
	}
	return added, reads
}

// A group is expressions that may be a function and the name of its index: the arguments of a call, the values of a
// struct, or a key and a value of a map.
type group struct {
	at  token.Pos
	of  types.Type // of the function that is called, the struct or the map
	all []ast.Expr
}

func (s *source) groups(n ast.Node) (out []group) {
	switch n := n.(type) {
	case *ast.CallExpr:
		if target, _ := indexFunction(s.TypesInfo.TypeOf(n)); target == "" { // it does not wrap a function
			return []group{{n.Lparen, s.TypesInfo.TypeOf(n.Fun), n.Args}}
		}
	case *ast.AssignStmt:
		for i, left := range n.Lhs {
			if x, ok := left.(*ast.IndexExpr); ok && len(n.Rhs) == len(n.Lhs) {
				out = append(out, group{x.Lbrack, s.TypesInfo.TypeOf(x.X), []ast.Expr{x.Index, n.Rhs[i]}})
			}
		}
	case *ast.CompositeLit:
		of := s.TypesInfo.TypeOf(n)
		if is[*types.Struct](of) {
			return []group{{n.Lbrace, of, values(n)}}
		}
		for _, e := range n.Elts {
			if kv, ok := e.(*ast.KeyValueExpr); ok {
				out = append(out, group{kv.Colon, of, []ast.Expr{kv.Key, kv.Value}})
			}
		}
	}
	return out
}

// values returns the values in a literal.
func values(n *ast.CompositeLit) (all []ast.Expr) {
	for _, e := range n.Elts {
		if kv, ok := e.(*ast.KeyValueExpr); ok {
			e = kv.Value
		}
		all = append(all, e)
	}
	return all
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

// function returns the index function of a group: a function from an object to strings, and a name, which is the first
// text of a struct. Calls need no object. Parameters and fields are no functions: they are found where they are set.
func (s *source) function(g group) *function {
	f := &function{Answer: &Answer{Position: s.prog.position(g.at), Function: "a closure"}, copied: copied{in: s}}
	row := is[*types.Struct](g.of)
	for i, e := range g.all {
		t := s.TypesInfo.TypeOf(e)
		if m, ok := g.of.Underlying().(*types.Map); ok && i == 1 {
			t = m.Elem()
		}
		target, object := indexFunction(t)
		name, isConst := s.text(e)
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
	if f.fn == nil || f.Index == "" || f.object == nil && f.Target != ClientGo && !is[*types.Signature](g.of) {
		return nil
	}
	if _, ok := ast.Unparen(f.fn).(*ast.FuncLit); !ok {
		f.Function = types.ExprString(f.fn)
	}
	obj := s.used(f.fn)
	if v, ok := obj.(*types.Var); ok && v.Parent() != v.Pkg().Scope() && len(s.prog.defs[id(v)]) == 0 {
		return nil
	}
	f.Needless = id(obj) == "k8s.io/client-go/tools/cache.MetaNamespaceIndexFunc"
	return f
}

// used returns the object of an identifier or a selector, or nil.
func (s *source) used(e ast.Expr) types.Object {
	e = ast.Unparen(e)
	if x, ok := e.(*ast.SelectorExpr); ok {
		e = x.Sel
	}
	name, _ := e.(*ast.Ident)
	return s.TypesInfo.ObjectOf(name)
}

// text returns the value of a constant string, or of a variable that is set to one and does not change.
func (s *source) text(e ast.Expr) (string, bool) {
	if v := s.TypesInfo.Types[cmp.Or(s.value(s.used(e)), e)].Value; v != nil && v.Kind() == constant.String {
		return constant.StringVal(v), true
	}
	return "", false
}

// objects matches client.Object, which may be an alias.
var objects = regexp.MustCompile(`^sigs\.k8s\.io/controller-runtime/pkg/.*\.Object$`)

// indexFunction returns the cache that takes functions of a type, or "", and the type of its objects if it is not an
// interface.
func indexFunction(t types.Type) (to Target, object *types.Named) {
	f, ok := t.Underlying().(*types.Signature)
	if !ok || f.Params().Len() != 1 || f.Results().Len() == 0 || f.Results().At(0).Type().String() != "[]string" {
		return "", nil
	}
	param, results := f.Params().At(0).Type(), f.Results()
	i, _ := param.Underlying().(*types.Interface)
	typed := strings.HasPrefix(types.Unalias(t).String(), "k8s.io/client-go/tools/cache.TypedIndexFunc[")
	if results.Len() == 1 && objects.MatchString(types.Unalias(param).String()) {
		return ControllerRuntime, nil
	} else if results.Len() == 2 && results.At(1).Type().String() == "error" && (typed || i != nil && i.Empty()) {
		return ClientGo, rootType(param)
	}
	return "", nil
}

// rootType returns the type that t points to, if objects have it: a struct with metadata.
func rootType(t types.Type) *types.Named {
	_, isPointer := types.Unalias(t).(*types.Pointer)
	if _, index, _ := types.LookupFieldOrMethod(t, false, nil, "ObjectMeta"); isPointer && len(index) == 1 {
		return named(t)
	}
	return nil
}

// Read is a place where a program asks an index by a constant name.
type Read struct {
	Position
	Index string `json:"index"`
	kind  string // full name of the type of the objects; "" if the place does not tell

	mapFunction string // the function around it, if it returns requests
}

// asked matches the calls, and the maps that are field selectors, to which the name of an index is passed.
var asked = regexp.MustCompile(`^(sigs\.k8s\.io/controller-runtime/pkg/.*\.MatchingFields|` +
	`k8s\.io/apimachinery/pkg/fields\.(Set|OneTerm\w+)|` +
	`\(\*?k8s\.io/client-go/tools/cache\..*\)\.(ByIndex|IndexKeys|ListIndexFuncValues|Index))$`)

// read returns the reads of a group that has the name of an index, if its first string is constant or a parameter. Its kind is that of
// the list that a call around gets.
func (s *source) read(n ast.Node, g group, around []ast.Node) (out []Read) {
	asks := types.Unalias(g.of).String()
	if call, ok := n.(*ast.CallExpr); ok {
		asks = id(s.used(call.Fun))
	}
	i := slices.IndexFunc(g.all, func(e ast.Expr) bool { return gotypes.IsText(s.TypesInfo.TypeOf(e)) })
	if i < 0 || !asked.MatchString(asks) {
		return nil
	}
	r := Read{Position: s.prog.position(g.at)}
	for _, n := range around { // innermost last
		if f, ok := n.(*ast.FuncDecl); ok && mapFunction.MatchString(s.TypesInfo.Defs[f.Name].Type().String()) {
			r.mapFunction = f.Name.Name
		}
		call, _ := n.(*ast.CallExpr)
		for i := 0; call != nil && i < len(call.Args); i++ {
			list := named(s.TypesInfo.TypeOf(call.Args[i]))
			if list != nil && strings.HasSuffix(list.Obj().Name(), "List") && !types.IsInterface(list) {
				r.kind = strings.TrimSuffix(fullName(list), "List")
			}
		}
	}
	for _, r.Index = range s.texts(g.all[i]) {
		out = append(out, r)
	}
	return out
}

// mapFunction matches the type of a function from an object to requests.
var mapFunction = regexp.MustCompile(`pkg/client\.Object\) \[\](sigs\.k8s\.io/controller-runtime/pkg/)?reconcile\.Request$`)

// texts returns the constant strings that an expression may be: its own, or those that calls pass for a parameter.
func (s *source) texts(e ast.Expr) (all []string) {
	if text, ok := s.text(e); ok {
		return []string{text}
	}
	for _, arg := range s.prog.arguments[s.prog.params[s.used(e)]] {
		if text, ok := arg.in.text(arg.Node.(ast.Expr)); ok && !slices.Contains(all, text) {
			all = append(all, text)
		}
	}
	return all
}

func fullName(t *types.Named) string { return types.TypeString(t, nil) }
