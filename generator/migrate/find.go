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

// findRegistrationsAndReads returns the indexes that the requested packages add, and the places that ask an index.
func (p *program) findRegistrationsAndReads() (added []*indexFunction, reads []Read) {
	for _, s := range p.requestedPackages {
		if s.IllTyped {
			why := "" // the first error, which may be of an import
			packages.Visit([]*packages.Package{s.Package}, nil, func(p *packages.Package) {
				for _, err := range p.Errors {
					why = cmp.Or(why, err.Error())
				}
			})
			p.addPackageErrorOnce("package "+s.PkgPath+" does not compile, so its index functions cannot be read", why)
			continue
		}
		for _, file := range s.Syntax {
			ast.PreorderStack(file, nil, func(n ast.Node, around []ast.Node) bool {
				for _, g := range s.candidateGroups(n) {
					reads = append(reads, s.indexReads(n, g, around)...)
					if f := s.indexFunctionOf(g); f != nil {
						f.objectType = cmp.Or(f.objectType, s.objectTypeInCall(around))
						added = append(added, f)
						p.isIndexName[identOf(f.nameExpr)] = true
					}
				}
				return true
			})
		}
	}
	return added, reads
}

// A candidateGroup is expressions that may be a function and the name of its index: the arguments of a call, the
// values of a struct, or a key and a value of a map.
type candidateGroup struct {
	pos                   token.Pos
	calleeOrContainerType types.Type // of the function that is called, the struct or the map
	exprs                 []ast.Expr
}

func (s *sourcePackage) candidateGroups(n ast.Node) (out []candidateGroup) {
	switch n := n.(type) {
	case *ast.CallExpr:
		if target, _ := indexFunctionTarget(s.TypesInfo.TypeOf(n)); target == "" { // it does not wrap a function
			return []candidateGroup{{n.Lparen, s.TypesInfo.TypeOf(n.Fun), n.Args}}
		}
	case *ast.AssignStmt:
		for i, left := range n.Lhs {
			if x, ok := left.(*ast.IndexExpr); ok && len(n.Rhs) == len(n.Lhs) {
				out = append(out, candidateGroup{x.Lbrack, s.TypesInfo.TypeOf(x.X), []ast.Expr{x.Index, n.Rhs[i]}})
			}
		}
	case *ast.CompositeLit:
		of := s.TypesInfo.TypeOf(n)
		if hasDereferencedUnderlying[*types.Struct](of) {
			return []candidateGroup{{n.Lbrace, of, literalValues(n)}}
		}
		for _, e := range n.Elts {
			if kv, ok := e.(*ast.KeyValueExpr); ok {
				out = append(out, candidateGroup{kv.Colon, of, []ast.Expr{kv.Key, kv.Value}})
			}
		}
	}
	return out
}

// literalValues returns the values in a literal.
func literalValues(n *ast.CompositeLit) (all []ast.Expr) {
	for _, e := range n.Elts {
		if kv, ok := e.(*ast.KeyValueExpr); ok {
			e = kv.Value
		}
		all = append(all, e)
	}
	return all
}

// hasDereferencedUnderlying reports whether the underlying type of a type, or of that to which it points, is a T.
func hasDereferencedUnderlying[T types.Type](t types.Type) bool {
	_, ok := gotypes.Deref(t).Underlying().(T)
	return ok
}

// dereferencedNamedType returns a type with a name, or that to which t points, or nil.
func dereferencedNamedType(t types.Type) *types.Named {
	n, _ := types.Unalias(gotypes.Deref(t)).(*types.Named)
	return n
}

// indexFunctionOf returns the index function of a group: a function from an object to strings, and a name, which is the
// first text of a struct. Calls need no object. Parameters and fields are no functions: they are found where they are set.
func (s *sourcePackage) indexFunctionOf(g candidateGroup) *indexFunction {
	f := &indexFunction{Answer: &Answer{Position: s.program.relativePosition(g.pos), Function: "a closure"}, copiedExpr: copiedExpr{pkg: s}}
	row := hasDereferencedUnderlying[*types.Struct](g.calleeOrContainerType)
	for i, e := range g.exprs {
		t := s.TypesInfo.TypeOf(e)
		if m, ok := g.calleeOrContainerType.Underlying().(*types.Map); ok && i == 1 {
			t = m.Elem()
		}
		target, object := indexFunctionTarget(t)
		name, isConst := s.constantString(e)
		switch {
		case f.funcExpr == nil && target != "":
			if f.funcExpr, f.Target, f.objectType = e, target, cmp.Or(object, f.objectType); row {
				f.Position = s.program.relativePosition(e.Pos())
			}
		case gotypes.IsText(t) && (f.Index == "" && (row || isConst) || f.funcExpr == nil && !row):
			if f.Index, f.hasConstantName, f.nameExpr = name, isConst, e; !isConst {
				f.Index = types.ExprString(e)
			}
		case objectTypeOfPointer(t) != nil:
			f.objectType = objectTypeOfPointer(t)
		}
	}
	if f.funcExpr == nil || f.Index == "" || f.objectType == nil && f.Target != ClientGo && row {
		return nil
	}
	if _, ok := ast.Unparen(f.funcExpr).(*ast.FuncLit); !ok {
		f.Function = types.ExprString(f.funcExpr)
	}
	obj := s.typesObjectOf(f.funcExpr)
	if v, ok := obj.(*types.Var); ok && v.Parent() != v.Pkg().Scope() && len(s.program.definitionsByID[uniqueFullName(v)]) == 0 {
		return nil
	}
	f.Needless = uniqueFullName(obj) == "k8s.io/client-go/tools/cache.MetaNamespaceIndexFunc"
	return f
}

// objectTypeInCall returns the type of the object that the innermost call gets, such as NewSharedIndexInformer, or nil.
func (s *sourcePackage) objectTypeInCall(around []ast.Node) *types.Named {
	for _, n := range slices.Backward(around) {
		switch n := n.(type) {
		case *ast.FuncLit:
			return nil
		case *ast.CallExpr:
			for _, arg := range n.Args {
				if t := objectTypeOfPointer(s.TypesInfo.TypeOf(arg)); t != nil {
					return t
				}
			}
			return nil
		}
	}
	return nil
}

// identOf returns an identifier, or that of a selector, or nil.
func identOf(e ast.Expr) *ast.Ident {
	e = ast.Unparen(e)
	if x, ok := e.(*ast.SelectorExpr); ok {
		e = x.Sel
	}
	name, _ := e.(*ast.Ident)
	return name
}

// typesObjectOf returns the object of an identifier or a selector, or nil.
func (s *sourcePackage) typesObjectOf(e ast.Expr) types.Object {
	return s.TypesInfo.ObjectOf(identOf(e))
}

// constantString returns the value of a constant string, or of a variable that is set to one and does not change.
func (s *sourcePackage) constantString(e ast.Expr) (string, bool) {
	if v := s.TypesInfo.Types[cmp.Or(s.onlyAssignedExpr(s.typesObjectOf(e)), e)].Value; v != nil && v.Kind() == constant.String {
		return constant.StringVal(v), true
	}
	return "", false
}

// clientObject matches client.Object, which may be an alias.
var clientObject = regexp.MustCompile(`^sigs\.k8s\.io/controller-runtime/pkg/.*\.Object$`)

// indexFunctionTarget returns the cache that takes functions of a type, or "", and the type of its objects if it is not an
// interface.
func indexFunctionTarget(t types.Type) (to Target, object *types.Named) {
	f, ok := t.Underlying().(*types.Signature)
	if !ok || f.Params().Len() != 1 || f.Results().Len() == 0 || f.Results().At(0).Type().String() != "[]string" {
		return "", nil
	}
	param, results := f.Params().At(0).Type(), f.Results()
	i, _ := param.Underlying().(*types.Interface)
	typed := strings.HasPrefix(types.Unalias(t).String(), "k8s.io/client-go/tools/cache.TypedIndexFunc[")
	if results.Len() == 1 && clientObject.MatchString(types.Unalias(param).String()) {
		return ControllerRuntime, nil
	} else if results.Len() == 2 && results.At(1).Type().String() == "error" && (typed || i != nil && i.Empty()) {
		return ClientGo, objectTypeOfPointer(param)
	}
	return "", nil
}

// objectTypeOfPointer returns the type that t points to, if objects have it: a struct with metadata.
func objectTypeOfPointer(t types.Type) *types.Named {
	_, isPointer := types.Unalias(t).(*types.Pointer)
	if _, index, _ := types.LookupFieldOrMethod(t, false, nil, "ObjectMeta"); isPointer && len(index) == 1 {
		return dereferencedNamedType(t)
	}
	return nil
}

// Read is a place where a program asks an index by a constant name.
type Read struct {
	Position
	Index              string `json:"index"`
	fullObjectTypeName string // full name of the type of the objects; "" if the place does not tell

	pkg           *sourcePackage
	target        Target
	nameExprOrNil ast.Expr // nil if calls pass the name
	mapFunction   *MapFunction
}

// indexReader matches the calls, and the maps that are field selectors, to which the name of an index is passed.
var indexReader = regexp.MustCompile(`^(sigs\.k8s\.io/controller-runtime/pkg/.*\.MatchingFields|` +
	`k8s\.io/apimachinery/pkg/fields\.(Set|OneTerm\w+)|` +
	`\(\*?k8s\.io/client-go/tools/cache\..*\)\.(ByIndex|IndexKeys|ListIndexFuncValues|Index))$`)

// indexReads returns the reads of a group that has the name of an index, if its first string is constant or a parameter.
// The type of the objects is that of the list that a call around gets.
func (s *sourcePackage) indexReads(n ast.Node, group candidateGroup, enclosing []ast.Node) (out []Read) {
	asks := types.Unalias(group.calleeOrContainerType).String()
	if call, ok := n.(*ast.CallExpr); ok {
		asks = uniqueFullName(s.typesObjectOf(call.Fun))
	}
	i := slices.IndexFunc(group.exprs, func(e ast.Expr) bool { return gotypes.IsText(s.TypesInfo.TypeOf(e)) })
	if i < 0 || !indexReader.MatchString(asks) {
		return nil
	}
	r, decl := Read{Position: s.program.relativePosition(group.pos), pkg: s, target: ControllerRuntime}, (*ast.FuncDecl)(nil)
	if strings.Contains(asks, "k8s.io/client-go/tools/cache.") {
		r.target = ClientGo
	}
	for _, n := range enclosing { // innermost last
		switch f := n.(type) {
		case *ast.FuncDecl:
			decl, r.mapFunction = f, s.newMapFunction(f.Name.Name, s.TypesInfo.Defs[f.Name].Type(), f.Body)
		case *ast.FuncLit:
			if m := s.newMapFunction("a closure", s.TypesInfo.TypeOf(f), f.Body); m != nil {
				m.adoptNameOfReturningFunc(decl, f)
				r.mapFunction = m
			}
		}
		call, _ := n.(*ast.CallExpr)
		for i := 0; call != nil && i < len(call.Args); i++ {
			list := dereferencedNamedType(s.TypesInfo.TypeOf(call.Args[i]))
			if list != nil && strings.HasSuffix(list.Obj().Name(), "List") && !types.IsInterface(list) {
				r.fullObjectTypeName = strings.TrimSuffix(fullTypeName(list), "List")
			}
		}
	}
	if text, ok := s.constantString(group.exprs[i]); ok {
		r.Index, r.nameExprOrNil = text, group.exprs[i]
		s.program.isIndexName[identOf(r.nameExprOrNil)] = true
		return []Read{r}
	}
	for _, arg := range s.program.argumentsByParameter[s.program.parameterIDs[s.typesObjectOf(group.exprs[i])]] {
		text, ok := arg.pkg.constantString(arg.expr)
		s.program.isIndexName[identOf(arg.expr)] = true
		if r.Index = text; ok && !slices.ContainsFunc(out, func(o Read) bool { return o.Index == text }) {
			out = append(out, r)
		}
	}
	return out
}

func fullTypeName(t *types.Named) string { return types.TypeString(t, nil) }
