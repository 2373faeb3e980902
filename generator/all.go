// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package generator

import "slices"

// selected limits -all to types that are served. A package that says which of its
// types are (kubebuilder:object:root or genclient) is believed; in others every
// root type counts.
func selected(all []*root) map[*root]bool {
	out := map[*root]bool{}
	declared := false
	for _, r := range all {
		isRoot, _ := r.kube.Get(objectRoot).(bool)
		if isRoot || len(r.kube[genclient]) > 0 {
			declared = true
			if watchable(r.kube) && r.undecoded == "" {
				out[r] = true
			}
		}
	}
	if !declared {
		for _, r := range all {
			out[r] = r.slim == "" && r.undecoded == "" && (r.copied == "" || r.saidServed()) // neither is likely to be served as such
		}
	}
	return out
}

// leftOut says why -all passes over a root type. all are those of its package.
func (r *root) leftOut(all []*root, version string) string {
	served := func(r *root) bool {
		isRoot, _ := r.kube.Get(objectRoot).(bool)
		return isRoot || len(r.kube[genclient]) > 0
	}
	switch {
	case version == internalVersion:
		return "of the internal version"
	case r.undecoded != "":
		return "nothing would be decoded into its ObjectMeta"
	case served(r):
		return "no list and watch"
	case r.copied != "" && !r.saidServed():
		return "declared as " + r.copied + " is, and nothing says that it is served"
	case slices.ContainsFunc(all, served):
		return "no +" + objectRoot + " or +" + genclient + ", which other types have"
	}
	return "slim, and no +index marker"
}

// selects reports whether selectable fields ask for code. Those of a version that is not
// served do not: its CRD has them as that of any other has, and no informer would sync.
func (r *root) selects() bool { return len(r.kube[selectable]) > 0 && len(r.kube[unserved]) == 0 }
