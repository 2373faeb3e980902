// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package served

import (
	"slices"

	"github.com/indexer-gen/indexer-gen/generator/internal/marker"
)

// SelectAll returns the root types of a package that -all includes. If any type has
// +kubebuilder:object:root or +genclient, only such types are included; otherwise every
// root type is.
func SelectAll(all []*Root) map[*Root]bool {
	out := map[*Root]bool{}
	declared := false
	for _, r := range all {
		if r.markedServed() {
			declared = true
			if watchable(r.Kube) && r.Undecoded == "" {
				out[r] = true
			}
		}
	}
	if !declared {
		for _, r := range all {
			out[r] = r.Slim == "" && r.Undecoded == "" && (r.Copied == "" || r.DeclaredServed()) // slim types and copies are rarely served
		}
	}
	return out
}

// OmitReason returns the reason why -all skips a root type. all lists the root types of its
// package.
func (r *Root) OmitReason(all []*Root, version string) string {
	switch {
	case version == internalVersion:
		return "of the internal version"
	case r.Undecoded != "":
		return "nothing would be decoded into its ObjectMeta"
	case r.markedServed():
		return "no list and watch"
	case r.Copied != "" && !r.DeclaredServed():
		return "declared as " + r.Copied + " is, and nothing says that it is served"
	case slices.ContainsFunc(all, (*Root).markedServed):
		return "no +" + marker.ObjectRoot + " or +" + marker.Genclient + ", which other types have"
	}
	return "slim, and no +index marker"
}

// Selects reports whether selectable fields request code for the root. An unserved version
// also has selectable fields in its CRD, but an informer for it would never sync.
func (r *Root) Selects() bool {
	return len(r.Kube[marker.Selectable]) > 0 && len(r.Kube[marker.Unserved]) == 0
}
