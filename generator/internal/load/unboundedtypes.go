// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package load

import (
	"go/types"
	"maps"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/go/types/typeutil"
	"sigs.k8s.io/controller-tools/pkg/loader"

	"github.com/indexer-gen/indexer-gen/generator/internal/diag"
	"github.com/indexer-gen/indexer-gen/generator/internal/gotypes"
)

// Go rejects generic types that expand without end, such as
// type Box[T any] struct{ N *Box[[]T] }. The type checker reports them only in packages
// without other errors, and a field or method lookup in such a type may not terminate.
// So these types are detected before any other use of types.

// excludeUnboundedTypes reports such types in packages of the module and excludes these
// packages.
func (p *Program) excludeUnboundedTypes() {
	for _, path := range slices.Sorted(maps.Keys(p.Checked)) {
		pkg := p.Checked[path]
		if !p.SameModule(pkg) || pkg.Types == nil {
			continue
		}
		if p.recursive(pkg) {
			p.unbounded = append(p.unbounded, pkg)
			p.exclude(pkg)
			continue
		}
		for _, name := range pkg.Types.Scope().Names() {
			obj, ok := pkg.Types.Scope().Lookup(name).(*types.TypeName)
			if !ok {
				continue
			}
			named, ok := obj.Type().(*types.Named)
			if !ok || !unbounded(named) {
				continue
			}
			p.Report.At(obj.Pos(),
				"%s leads to an endless series of types with larger and larger type arguments; "+
					"let no generic type lead to itself with arguments made of its own parameters", name)
			p.unbounded = append(p.unbounded, pkg)
			p.exclude(pkg)
		}
	}
}

// recursive reports the types that contain themselves by value, and returns whether there
// are any. The type checker detects them, and leaves the types of such fields unknown.
func (p *Program) recursive(pkg *loader.Package) bool {
	found := map[string]string{} // messages, by position
	for i, e := range pkg.Errors {
		if e.Kind != packages.TypeError || !strings.HasPrefix(e.Msg, "invalid recursive type") {
			continue
		}
		message, sep := e.Msg, ": "
		for _, next := range pkg.Errors[i+1:] { // one step of the cycle each
			step, ok := strings.CutPrefix(next.Msg, "\t")
			if !ok {
				break
			}
			message, sep = message+sep+step, ", "
		}
		found[e.Pos] = message
	}
	for pos, message := range found {
		p.Report.Add(diag.Position(pos),
			message+"; it would contain itself, and Go does not compile it: use a pointer, a list or a map")
	}
	return len(found) > 0
}

// unbounded reports whether a generic type expands to instances whose type arguments are
// nested deeper than gotypes.MaxNested.
func unbounded(generic *types.Named) bool {
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
		for part := range gotypes.Parts(t.Underlying()) {
			instance, ok := part.(*types.Named)
			if !ok || instance.TypeArgs().Len() == 0 {
				continue
			}
			switch depth := gotypes.Nested(instance, true); {
			case depth > gotypes.MaxNested:
				return true
			case depth > 0:
				rest = append(rest, instance)
			}
		}
	}
	return false
}
