// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package generator

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"

	"github.com/indexer-gen/indexer-gen/templates/model"
)

// parameter returns the type that a marked function takes a pointer to, or nil.
func parameter(f *funcMarker) types.Type {
	fn, ok := f.pkg.TypesInfo.Defs[f.decl.Name].(*types.Func)
	if !ok || fn.Name() == "_" {
		return nil
	}
	sig := fn.Signature()
	if sig.Recv() != nil || sig.TypeParams().Len() > 0 || sig.Variadic() || sig.Params().Len() != 1 || sig.Results().Len() != 1 {
		return nil
	}
	pointer, ok := types.Unalias(sig.Params().At(0).Type()).(*types.Pointer)
	if !ok {
		return nil
	}
	return types.Unalias(pointer.Elem())
}

// function adds the index of +index:func:name=N if the function takes the root.
func (b *builder) function(root *root, f *funcMarker) {
	if !takes(b.c, f, root) {
		return
	}
	b.used[f.pos] = true
	fn := f.pkg.TypesInfo.Defs[f.decl.Name].(*types.Func)
	t := fn.Signature().Results().At(0).Type()
	ix := &model.Index{Name: f.options.text("name"), Kind: model.Funcs, Of: model.Ident{Path: f.pkg.PkgPath, Name: fn.Name()}}
	if list, ok := t.Underlying().(*types.Slice); ok && !isBytes(t) {
		ix.Several, t = true, list.Elem()
	}
	part := &model.Part{Path: fn.Name()}
	why := setKey(part, t)
	switch {
	case invalid(t):
		why := "which cannot be resolved; see that the package compiles"
		if emitsResult(b.c, f) {
			why = "a type that indexer-gen emits, and the function is read without it; declare one of your own, with the same fields"
		}
		b.r.p.report.at(f.pos, "%s returns %s, %s", fn.Name(), types.ExprString(f.decl.Type.Results.List[0].Type), why)
		return
	case why == "" && !b.r.inside(fn.Pkg()):
		if why := b.uncallable(f, fn); why != "" {
			b.r.p.report.at(f.pos, "%s", why)
			return
		}
		fallthrough
	case why == "":
		why = b.r.hidden(t)
	}
	if isBytes(t) {
		why += "; return them as a string"
	}
	if why != "" {
		b.r.p.report.at(f.pos, "%s returns %s, which cannot be a key: %s", fn.Name(), b.r.show(t), why)
		return
	}
	if isText(t) {
		b.r.texts[part] = true
	}
	if why := notOrdered(part, t); why != "" {
		b.r.unordered[part] = b.r.show(t) + " " + why
	}
	if len(f.refused) > 0 {
		return
	}
	ix.Parts, ix.Value = []*model.Part{part}, part.Type
	b.options(ix, &f.marker)
	b.add(ix, f.pos)
}

// emitsResult reports whether a function returns the key struct of an index of several
// paths, or a list of them.
func emitsResult(c *collected, f *funcMarker) bool {
	result := f.decl.Type.Results.List[0].Type
	if list, ok := result.(*ast.ArrayType); ok {
		result = list.Elt
	}
	name, ok := result.(*ast.Ident)
	if !ok {
		return false
	}
	for spec := range declaredTypes(f.pkg) {
		if slices.ContainsFunc(c.types[spec], func(m *marker) bool {
			return len(m.options.paths()) > 1 && spec.Name.Name+m.options.text("name")+"Key" == name.Name
		}) {
			return true
		}
	}
	return false
}

// uncallable says why the emitted file, which is in another package, cannot call a
// function, or "".
func (b *builder) uncallable(f *funcMarker, fn *types.Func) string {
	if !fn.Exported() {
		return fmt.Sprintf("the function %s is not exported, and the output is in another package; name it %s, or emit into package %s, where it is",
			fn.Name(), exported(fn.Name()), f.pkg.Name)
	}
	why := notImportable(f.pkg, b.r.into.dir)
	if why == "" && b.r.inside(b.r.root.Obj().Pkg()) {
		why = "it imports the types, beside which the emitted file goes; move the function there, or emit elsewhere with -o"
	}
	if why == "" {
		return ""
	}
	return fmt.Sprintf("the emitted file cannot import package %s of the function %s: %s", f.pkg.PkgPath, fn.Name(), why)
}

// takes reports whether a function takes a root: one of an alias only if it is in
// the package of the alias, for elsewhere the type may have another; and one in the
// package of its type only if there is no alias beside the function.
func takes(c *collected, f *funcMarker, r *root) bool {
	switch {
	case !f.target || parameter(f) != r.named:
		return false
	case f.pkg == r.pkg:
		return true
	}
	return r.home == r.pkg && !aliased(c, f)
}

// aliased reports whether the package of a function has a marked alias of the type that it
// takes.
func aliased(c *collected, f *funcMarker) bool {
	for spec := range declaredTypes(f.pkg) {
		obj, ok := f.pkg.TypesInfo.Defs[spec.Name].(*types.TypeName)
		if ok && obj.IsAlias() && len(c.types[spec]) > 0 && types.Unalias(obj.Type()) == parameter(f) {
			return true
		}
	}
	return false
}

// unusable says why a marked function gives no index.
func unusable(f *funcMarker) string {
	name := f.decl.Name.Name
	if t := parameter(f); t != nil {
		shown := types.TypeString(t, types.RelativeTo(f.pkg.Types))
		if named, ok := t.(*types.Named); ok && named.Obj().Pkg() != nil && named.Obj().Pkg() != f.pkg.Types {
			return fmt.Sprintf("the function %s takes a pointer to %s, which no marker asks for; write // +index:generate above type %s",
				name, shown, aliasOf(f, named))
		}
		return fmt.Sprintf("the function %s takes a pointer to %s, which is not a root type of the package", name, shown)
	}
	if name == "_" || name == "init" {
		name = "F"
	}
	return fmt.Sprintf("the function %s cannot make index values: %s; write it as func %s(obj *T) V or func %s(obj *T) []V, for a root type T",
		f.decl.Name.Name, unlike(f), name, name)
}

// unlike says how a marked function differs from one that makes index values.
func unlike(f *funcMarker) string {
	fn, ok := f.pkg.TypesInfo.Defs[f.decl.Name].(*types.Func)
	if !ok || fn.Name() == "_" {
		return "it has no name that it can be called by"
	}
	sig := fn.Signature()
	switch {
	case sig.Recv() != nil:
		return "it is a method"
	case sig.TypeParams().Len() > 0:
		return "it has type parameters"
	case sig.Params().Len() != 1 || sig.Variadic():
		return "it does not take one object"
	case sig.Results().Len() != 1:
		return "it does not return one value, or one list of values"
	}
	takes := f.decl.Type.Params.List[0].Type
	if _, pointer := takes.(*ast.StarExpr); !pointer {
		return fmt.Sprintf("it takes %s, which is no pointer", types.ExprString(takes))
	}
	return fmt.Sprintf("it takes %s, which cannot be resolved", types.ExprString(takes))
}

// aliasOf returns the name of an alias of a type in the package of the function or,
// if there is none, the declaration of one.
func aliasOf(f *funcMarker, named *types.Named) string {
	scope := f.pkg.Types.Scope()
	for _, name := range scope.Names() {
		if obj, ok := scope.Lookup(name).(*types.TypeName); ok && obj.IsAlias() && types.Unalias(obj.Type()) == named {
			return name
		}
	}
	of := f.decl.Type.Params.List[0].Type.(*ast.StarExpr).X // as the function's file has it
	return fmt.Sprintf("%s = %s", named.Obj().Name(), types.ExprString(of))
}

// asks reports whether a marked function takes the root.
func asks(c *collected, root *root) bool {
	return slices.ContainsFunc(c.funcs, func(f *funcMarker) bool { return takes(c, f, root) })
}
