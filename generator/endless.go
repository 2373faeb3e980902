// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package generator

import (
	"go/types"
	"maps"
	"slices"

	"golang.org/x/tools/go/types/typeutil"
)

// Go refuses generic types that lead to ever larger instances of themselves, such as
// type Box[T any] struct{ N *Box[[]T] }, for there is no end of types to compile. The
// type checker says so only of packages in which it finds no other error, and looking for
// a field or method in such a type may never end. So these types are found before
// anything else is done with types.

// putAsideEndless reports such types of the module's packages, and puts these aside.
func (p *program) putAsideEndless() {
	for _, path := range slices.Sorted(maps.Keys(p.checked)) {
		pkg := p.checked[path]
		if !p.sameModule(pkg) || pkg.Types == nil {
			continue
		}
		for _, name := range pkg.Types.Scope().Names() {
			obj, ok := pkg.Types.Scope().Lookup(name).(*types.TypeName)
			if !ok {
				continue
			}
			named, ok := obj.Type().(*types.Named)
			if !ok || !endless(named) {
				continue
			}
			p.report.at(obj.Pos(), "%s leads to ever larger type arguments, so that there is no end of types, and Go does not compile it; let no generic type lead to itself with arguments made of its own parameters", name)
			p.endless = append(p.endless, pkg)
			p.putAside(pkg)
		}
	}
}

// endless reports whether a generic type leads to instances in which its type parameters
// are nested deeper than anyone writes.
func endless(generic *types.Named) bool {
	if generic.TypeParams().Len() == 0 {
		return false
	}
	seen := &typeutil.Map{}
	for rest := []*types.Named{generic}; len(rest) > 0; {
		t := rest[len(rest)-1]
		rest = rest[:len(rest)-1]
		if seen.Set(t, true) != nil {
			continue
		}
		for part := range parts(t.Underlying()) {
			instance, ok := part.(*types.Named)
			if !ok || instance.TypeArgs().Len() == 0 {
				continue
			}
			switch depth := nested(instance, true); {
			case depth > maxNested:
				return true
			case depth > 0:
				rest = append(rest, instance)
			}
		}
	}
	return false
}
