// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package generator

import (
	"fmt"
	"go/types"
	"slices"

	"github.com/indexer-gen/indexer-gen/generator/model"
)

// parameter returns the type that a marked function takes a pointer to, or nil.
func (f *funcMarker) parameter() types.Type {
	fn, ok := f.pkg.TypesInfo.Defs[f.decl.Name].(*types.Func)
	if !ok {
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
	if f.parameter() != root.named {
		return
	}
	f.used = true
	fn := f.pkg.TypesInfo.Defs[f.decl.Name].(*types.Func)
	t := fn.Signature().Results().At(0).Type()
	ix := &model.Index{Name: f.options.text("name"), Kind: model.Funcs, Of: model.Ident{Path: f.pkg.PkgPath, Name: fn.Name()}}
	if list, ok := t.Underlying().(*types.Slice); ok {
		ix.Several, t = true, list.Elem()
	}
	key, why := keyType(t)
	switch {
	case invalid(t):
		why = "it cannot be resolved here; give it a name in the package of the function"
	case why == "" && !b.r.local && !fn.Exported():
		b.r.p.report.at(f.pos, "the function %s is not exported, and the output is in another package", fn.Name())
		return
	case why == "" && !b.r.local && hidden(t) != "":
		why = "it is not exported, and the output is in another package"
	}
	if why != "" {
		b.r.p.report.at(f.pos, "%s returns %s, which cannot be a key: %s", fn.Name(), b.r.show(t), why)
		return
	}
	ix.Value = key
	ix.Parts = []*model.Part{{Path: fn.Name(), Type: key}}
	b.add(ix, f.pos)
}

// unusable says why a marked function gives no index.
func (f *funcMarker) unusable() string {
	name := f.decl.Name.Name
	if t := f.parameter(); t != nil {
		return fmt.Sprintf("the function %s takes a pointer to %s, which is not a root type of the package", name, types.TypeString(t, types.RelativeTo(f.pkg.Types)))
	}
	return fmt.Sprintf("the function %s cannot make index values: write it as func %s(obj *T) V or func %s(obj *T) []V, for a root type T", name, name, name)
}

// asks reports whether a marked function takes the root.
func (c *collected) asks(root *root) bool {
	return slices.ContainsFunc(c.funcs, func(f *funcMarker) bool { return f.parameter() == root.named })
}
