// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package served

import (
	"go/ast"
	"slices"

	"github.com/indexer-gen/indexer-gen/generator/internal/marker"
)

// OmittedByAll returns the root types that -all omits, with the reasons. roots are all root
// types of the package. If any has +kubebuilder:object:root or +genclient, -all includes only
// such types.
func (s *Package) OmittedByAll(roots []*Root) map[*Root]string {
	internal := s.Internal()
	othersMarked := slices.ContainsFunc(roots, (*Root).hasServedMarker)
	out := map[*Root]string{}
	for _, r := range roots {
		why := s.excludingMarkerText(r)
		switch {
		case why != "":
		case internal:
			why = "of the internal version"
		case r.Undecoded != "":
			why = "nothing would be decoded into its ObjectMeta"
		case r.hasServedMarker():
			if !canListAndWatch(r.Kube) {
				why = "no list and watch"
			}
		case r.Copied != "" && r.List == nil:
			why = "declared as " + r.Copied + " is, and nothing says that it is served"
		case othersMarked:
			why = "no +" + marker.ObjectRoot + " or +" + marker.Genclient + ", which other types have"
		case r.Slim != "":
			why = "slim, and no +index marker"
		}
		if why != "" {
			out[r] = why
		}
	}
	return out
}

// excludingMarkerText returns the marker that excludes a root from -all, or "". Kubebuilder's
// markers exclude a version from serving or from the CRD. A type with +genclient but no CRD is
// included, because an aggregated API server may serve it.
func (s *Package) excludingMarkerText(r *Root) string {
	inPackage := slices.ContainsFunc(s.Pkg.Syntax, func(file *ast.File) bool {
		return len(s.Kube[file][marker.SkipPackage]) > 0
	})
	switch {
	case len(r.Kube[marker.Unserved]) > 0:
		return "+" + marker.Unserved
	case len(r.Kube[marker.Genclient]) > 0:
		return ""
	case len(r.Kube[marker.SkipVersion]) > 0:
		return "+" + marker.SkipVersion + ", and no +" + marker.Genclient
	case inPackage:
		return "+" + marker.SkipPackage + " above the package clause, and no +" + marker.Genclient
	}
	return ""
}

// RequestedByFields reports whether selectable fields request code for the root. An unserved
// version also has selectable fields in its CRD, but an informer for it would never sync.
func (r *Root) RequestedByFields() bool {
	return len(r.Kube[marker.Selectable]) > 0 && len(r.Kube[marker.Unserved]) == 0
}
