// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package index

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"

	"github.com/indexer-gen/indexer-gen/generator/internal/collect"
	"github.com/indexer-gen/indexer-gen/generator/internal/gotypes"
	"github.com/indexer-gen/indexer-gen/generator/internal/load"
	"github.com/indexer-gen/indexer-gen/generator/internal/served"
	"github.com/indexer-gen/indexer-gen/generator/internal/target"
	"github.com/indexer-gen/indexer-gen/templates/model"
)

// parameterPointeeType returns T if the marked function takes one *T, or nil.
func parameterPointeeType(f *collect.FuncMarker) types.Type {
	t, _ := parameterPointeeTypeOrError(f)
	return t
}

// parameterPointeeTypeOrError returns T if the marked function takes one *T, or nil and how its signature is wrong.
func parameterPointeeTypeOrError(f *collect.FuncMarker) (types.Type, string) {
	fn, ok := f.Pkg.TypesInfo.Defs[f.Decl.Name].(*types.Func)
	if !ok || fn.Name() == "_" {
		return nil, "it has no name, so it cannot be called"
	}
	sig := fn.Signature()
	switch {
	case sig.Recv() != nil:
		return nil, "it is a method"
	case sig.TypeParams().Len() > 0:
		return nil, "it has type parameters"
	case sig.Params().Len() != 1 || sig.Variadic():
		return nil, "it does not take one object"
	case sig.Results().Len() != 1:
		return nil, "it does not return one value, or one list of values"
	}
	if pointer, ok := types.Unalias(sig.Params().At(0).Type()).(*types.Pointer); ok {
		return types.Unalias(pointer.Elem()), ""
	}
	takes, why := f.Decl.Type.Params.List[0].Type, "cannot be resolved"
	if _, pointer := takes.(*ast.StarExpr); !pointer {
		why = "is not a pointer"
	}
	return nil, fmt.Sprintf("it takes %s, which %s", types.ExprString(takes), why)
}

// addFunctionIndex adds the index of +index:func:name=N if the function takes the root.
func (b *Builder) addFunctionIndex(root *served.Root, f *collect.FuncMarker) {
	if !functionIndexesRootOrAlias(b.Collected, f, root) {
		return
	}
	b.Used[f.Pos] = true
	fn := f.Pkg.TypesInfo.Defs[f.Decl.Name].(*types.Func)
	t := fn.Signature().Results().At(0).Type()
	ix := &model.Index{Name: f.Options.Text("name"), Kind: model.Funcs,
		Of: model.Ident{Path: f.Pkg.PkgPath, Name: fn.Name()}}
	if list, ok := t.Underlying().(*types.Slice); ok && !gotypes.IsBytes(t) {
		ix.Several, t = true, list.Elem()
	}
	part := &model.Part{Path: fn.Name()}
	why := assignKeyType(part, t)
	switch {
	case gotypes.Invalid(t):
		b.errorf(f.Pos,
			"%s returns %s, which cannot be resolved; see that the package compiles",
			fn.Name(), types.ExprString(f.Decl.Type.Results.List[0].Type))
		return
	case why == "" && !b.Resolver.isDestination(fn.Pkg()):
		if why := b.crossPackageCallError(f, fn); why != "" {
			b.errorf(f.Pos, "%s", why)
			return
		}
		fallthrough
	case why == "":
		why = b.Resolver.unnameableTypeError(t)
	}
	if gotypes.IsBytes(t) {
		why += "; return them as a string"
	}
	if why != "" {
		b.errorf(f.Pos, "%s returns %s, which cannot be a key: %s", fn.Name(), b.Resolver.typeText(t), why)
		return
	}
	b.Resolver.valueTypes[part] = t
	if len(f.Refused) > 0 {
		return
	}
	ix.Parts, ix.Value = []*model.Part{part}, part.Type
	b.setOptions(ix, &f.Marker)
	b.addIndex(ix, &f.Marker)
}

// crossPackageCallError returns the reason why emitted code in another package cannot call fn, or "".
func (b *Builder) crossPackageCallError(f *collect.FuncMarker, fn *types.Func) string {
	if !fn.Exported() {
		return fmt.Sprintf(
			"the function %s is not exported, and the output is in another package; "+
				"name it %s, or emit into package %s, where it is",
			fn.Name(), gotypes.Exported(fn.Name()), f.Pkg.Name)
	}
	why := target.NotImportable(f.Pkg, b.Resolver.destination.Dir)
	if why == "" && b.Resolver.isDestination(b.Resolver.root.Obj().Pkg()) {
		why = "it imports the types, beside which the emitted file goes; move the function there, or " +
			"emit elsewhere with -o"
	}
	if why == "" {
		return ""
	}
	return fmt.Sprintf(
		"the emitted file cannot import package %s of the function %s: %s", f.Pkg.PkgPath, fn.Name(), why)
}

// functionIndexesRootOrAlias reports whether a function indexes a root. A function beside a marked alias indexes
// that alias only, since other packages may have aliases of their own. Without an alias
// beside it, the function indexes the root in the package of its type.
func functionIndexesRootOrAlias(c *collect.Collected, f *collect.FuncMarker, r *served.Root) bool {
	switch {
	case !f.Target || parameterPointeeType(f) != r.Named:
		return false
	case f.Pkg == r.Pkg:
		return true
	}
	marked := func(spec *ast.TypeSpec) bool { return len(c.Types[spec]) > 0 }
	return r.Home == r.Pkg && aliasOfParameterType(f, marked) == nil
}

// aliasOfParameterType returns an alias of the function's parameter type in the function's package, or nil.
func aliasOfParameterType(f *collect.FuncMarker, which func(*ast.TypeSpec) bool) *ast.TypeSpec {
	for spec := range load.DeclaredTypes(f.Pkg) {
		obj, ok := f.Pkg.TypesInfo.Defs[spec.Name].(*types.TypeName)
		if ok && obj.IsAlias() && which(spec) && types.Unalias(obj.Type()) == parameterPointeeType(f) {
			return spec
		}
	}
	return nil
}

// takesForeignType reports whether the function takes a type of another package.
func takesForeignType(f *collect.FuncMarker) bool {
	named, ok := parameterPointeeType(f).(*types.Named)
	return ok && named.Obj().Pkg() != nil && named.Obj().Pkg() != f.Pkg.Types
}

// unusedFunctionError returns the reason why a marked function makes no index.
func unusedFunctionError(p *load.Program, f *collect.FuncMarker) string {
	name := f.Decl.Name.Name
	t, why := parameterPointeeTypeOrError(f)
	if t != nil {
		shown := types.TypeString(t, types.RelativeTo(f.Pkg.Types))
		if takesForeignType(f) {
			above := "an alias of it"
			if alias := aliasOfParameterType(f, func(*ast.TypeSpec) bool { return true }); alias != nil {
				above = "the alias " + alias.Name.Name + " at " + p.Report.Where(alias.Name.Pos())
			}
			return fmt.Sprintf(
				"the function %s takes a pointer to %s, which has no marker; write // +index:generate above %s",
				name, shown, above)
		}
		if named, ok := t.(*types.Named); ok {
			if why := cannotBeRootError(named.Obj()); why != "" {
				return fmt.Sprintf(
					"the function %s takes a pointer to %s, which is not a root type: %s", name, shown, why)
			}
		}
		return fmt.Sprintf(
			"the function %s takes a pointer to %s, which is not a root type of the package", name, shown)
	}
	out := fmt.Sprintf(
		"the function %s cannot make index values: %s; "+
			"write it as func %s(obj *T) V or func %s(obj *T) []V, for a root type T",
		name, why, name, name)
	if f.Decl.Recv != nil || f.Decl.Type.Params.NumFields() > 1 {
		out += "; if it needs more than the object, pass a closure to store.AddIndex, or to AddIndexers of client-go"
	}
	return out
}

// HasFunction reports whether a marked function indexes the root.
func HasFunction(c *collect.Collected, root *served.Root) bool {
	return slices.ContainsFunc(c.Funcs, func(f *collect.FuncMarker) bool { return functionIndexesRootOrAlias(c, f, root) })
}
