// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package index

import (
	"cmp"
	"go/token"
	"go/types"
	"iter"
	"slices"

	"sigs.k8s.io/controller-tools/pkg/loader"

	"github.com/indexer-gen/indexer-gen/generator/internal/collect"
	"github.com/indexer-gen/indexer-gen/generator/internal/gotypes"
	"github.com/indexer-gen/indexer-gen/generator/internal/load"
	"github.com/indexer-gen/indexer-gen/generator/internal/served"
)

// ReportUnused reports the markers that made no index. Markers in packages that were not requested
// may serve another run, so only those that no root type could use are reported.
func ReportUnused(p *load.Program, c *collect.Collected, used map[token.Pos]bool) {
	for _, m := range c.Fields {
		if used[m.Pos] {
			continue
		}
		foreign := !slices.Contains(p.Requested, m.Pkg)
		if !m.Target && !foreign {
			continue // the package was excluded; its types are unknown
		}
		if why := unreachableError(m, p.Partial || foreign); why != "" {
			p.Report.At(m.Pos, "%s", cmp.Or(almostRootError(p, m), why))
		}
	}
	unmarked := map[*loader.Package][]types.Type{} // one error for all functions of an unmarked type
	for _, f := range c.Funcs {
		if used[f.Pos] || !f.Target && !neverIndexesRoot(f) {
			continue
		}
		if t := parameterPointeeType(f); t != nil && takesForeignType(f) {
			if slices.Contains(unmarked[f.Pkg], t) {
				continue
			}
			unmarked[f.Pkg] = append(unmarked[f.Pkg], t)
		}
		p.Report.At(f.Pos, "%s", unusedFunctionError(p, f))
	}
	for _, pkg := range p.Checked {
		if !slices.Contains(p.Requested, pkg) && p.SameModule(pkg) {
			reportNonRootMarkers(p, c, pkg)
		}
	}
}

// almostRootError returns the reason why a type that leads to a marked field is no root type, though it has
// their metadata. It returns "" if there is no such type.
func almostRootError(p *load.Program, m *collect.FieldMarker) string {
	for obj, st := range targetStructs(p) {
		_, wrong := gotypes.SlimMeta(st)
		metadata := wrong != "" || gotypes.EmbedsOtherwise(st) != "" || gotypes.Embeds(st, "ObjectMeta")
		if !metadata || !reachesMarker(obj.Type(), m) {
			continue
		}
		if why := served.Unmarked(obj); why != "" {
			return obj.Name() + ", which leads to the field, is not a root type: " + why
		}
	}
	return ""
}

// targetStructs yields the struct types that the packages declare.
func targetStructs(p *load.Program) iter.Seq2[*types.TypeName, *types.Struct] {
	return func(yield func(*types.TypeName, *types.Struct) bool) {
		for _, pkg := range p.Targets {
			scope := pkg.Types.Scope()
			for _, name := range scope.Names() {
				obj, ok := scope.Lookup(name).(*types.TypeName)
				if !ok || obj.IsAlias() {
					continue
				}
				if st, ok := obj.Type().Underlying().(*types.Struct); ok && !yield(obj, st) {
					return
				}
			}
		}
	}
}

// reachesMarker reports whether a marked field is in a struct or below it.
func reachesMarker(t types.Type, m *collect.FieldMarker) bool {
	at := collect.FieldName(m.Field).Pos()
	for inner := range structGraph(t) {
		for _, f := range gotypes.JSONFields(inner.Underlying().(*types.Struct)) {
			if f.Leaf().Pos() == at {
				return true
			}
		}
	}
	return false
}

// reportNonRootMarkers reports markers on types that are no root types, in packages that were not
// requested. Package served reports those in requested packages.
func reportNonRootMarkers(p *load.Program, c *collect.Collected, pkg *loader.Package) {
	for spec := range load.DeclaredTypes(pkg) {
		obj, ok := pkg.TypesInfo.Defs[spec.Name].(*types.TypeName)
		if marks := c.Types[spec]; ok && len(marks) > 0 && !obj.IsAlias() {
			if why := cannotBeRootError(obj); why != "" {
				p.Report.At(marks[0].Pos, "%s is not a root type: %s", obj.Name(), why)
			}
		}
	}
}

// cannotBeRootError returns the reason why a type can never be a root type, or "". A type with
// unresolved embedded types may be one.
func cannotBeRootError(obj *types.TypeName) string {
	if st, ok := obj.Type().Underlying().(*types.Struct); ok {
		for f := range st.Fields() {
			if f.Embedded() && gotypes.Invalid(f.Type()) {
				return ""
			}
		}
	}
	return served.Unmarked(obj)
}

// isInlinedEmbeddedStruct reports whether a field is an embedded struct that JSON inlines. Unresolved types
// count as structs.
func isInlinedEmbeddedStruct(m *collect.FieldMarker) bool {
	if len(m.Field.Names) > 0 || jsonTagName(m.Field) != "" {
		return false
	}
	if m.Pkg.TypesInfo == nil {
		return true
	}
	t := m.Pkg.TypesInfo.TypeOf(m.Field.Type)
	if t == nil || gotypes.Invalid(t) {
		return true
	}
	_, ok := gotypes.StructOf(t)
	return ok
}

// neverIndexesRoot reports whether a marked function makes no index in any run, because its parameter
// can never be a root type.
func neverIndexesRoot(f *collect.FuncMarker) bool {
	t := parameterPointeeType(f)
	if t == nil {
		fn, ok := f.Pkg.TypesInfo.Defs[f.Decl.Name].(*types.Func)
		return !ok || fn.Signature().Params().Len() != 1 ||
			!gotypes.Invalid(fn.Signature().Params().At(0).Type())
	}
	named, ok := t.(*types.Named)
	if !ok || named.Obj().Pkg() != f.Pkg.Types {
		return false
	}
	return cannotBeRootError(named.Obj()) != ""
}
