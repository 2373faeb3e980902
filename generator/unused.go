// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package generator

import (
	"go/token"
	"go/types"
	"slices"

	"sigs.k8s.io/controller-tools/pkg/loader"
)

// idle reports the markers that give no index. In a package that was not asked for, a
// marker may be there for a root type of another run, which comes to it by another way than
// those of this one: said is only what no root type can change.
func idle(p *program, c *collected, roots []*root, used map[token.Pos]bool) {
	for _, m := range c.fields {
		if used[m.pos] {
			continue
		}
		foreign := !slices.Contains(p.asked, m.pkg)
		if !m.target && !foreign {
			continue // it is put aside, and nobody can say what its types are
		}
		why := ""
		if m.target {
			if why = overruled(roots, m); why == "" {
				why = inArray(roots, m)
			}
		}
		if why == "" {
			why = unreachable(m, p.partial || foreign)
		}
		if why != "" {
			p.report.at(m.pos, "%s", why)
		}
	}
	for _, f := range c.funcs {
		if !used[f.pos] && (f.target || never(f)) {
			p.report.at(f.pos, "%s", unusable(f))
		}
	}
	for _, pkg := range p.checked {
		if !slices.Contains(p.asked, pkg) && p.sameModule(pkg) {
			onOthers(p, c, pkg)
		}
	}
}

// onOthers reports the markers on types of a package not asked for that are no root types.
// Those of an asked one are told by [roots].
func onOthers(p *program, c *collected, pkg *loader.Package) {
	for spec := range declaredTypes(pkg) {
		obj, ok := pkg.TypesInfo.Defs[spec.Name].(*types.TypeName)
		if marks := c.types[spec]; ok && len(marks) > 0 && !obj.IsAlias() {
			if why := rootless(obj); why != "" {
				p.report.at(marks[0].pos, "%s is not a root type: %s", obj.Name(), why)
			}
		}
	}
}

// rootless says why a type is a root type in no run; "" if it may be one, as where the
// loader has not followed what it embeds.
func rootless(obj *types.TypeName) string {
	if st, ok := obj.Type().Underlying().(*types.Struct); ok {
		for f := range st.Fields() {
			if f.Embedded() && invalid(f.Type()) {
				return ""
			}
		}
	}
	_, why := rootType(obj)
	return why
}

// inlines reports whether a field is an embedded struct, whose fields JSON takes for those
// of the struct around it. What cannot be resolved is taken for one.
func inlines(m *fieldMarker) bool {
	if len(m.field.Names) > 0 || jsonName(m.field) != "" {
		return false
	}
	if m.pkg.TypesInfo == nil {
		return true
	}
	t := m.pkg.TypesInfo.TypeOf(m.field.Type)
	if t == nil || invalid(t) {
		return true
	}
	_, ok := structOf(t)
	return ok
}

// never reports whether a marked function gives an index in no run: it takes nothing that
// could be a root type, or a type of its own package that is none.
func never(f *funcMarker) bool {
	t := parameter(f)
	if t == nil {
		fn, ok := f.pkg.TypesInfo.Defs[f.decl.Name].(*types.Func)
		return !ok || fn.Signature().Params().Len() != 1 || !invalid(fn.Signature().Params().At(0).Type())
	}
	named, ok := t.(*types.Named)
	if !ok || named.Obj().Pkg() != f.pkg.Types {
		return false
	}
	return rootless(named.Obj()) != ""
}
