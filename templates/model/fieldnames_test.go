// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package model

import "testing"

// TestIndexesOfOneField: two indexes of one field have different names in foreign caches.
func TestIndexesOfOneField(t *testing.T) {
	ofSite := func(name string) *Index {
		site := &Part{Path: ".spec.site", Steps: []*Step{{Op: Field, Name: "Spec"}, {Op: Field, Name: "Site"}},
			Type: GoType{Ident: Ident{Name: "string"}}}
		return &Index{Name: name, Parts: []*Part{site}}
	}
	for _, target := range []Target{ClientGo, ControllerRuntime} {
		first, second := ofSite("Site"), ofSite("Place")
		p := &Package{Target: target, Types: []*Type{{Kind: "T", Plural: "Ts", Indexes: []*Index{first, second}}}}
		AssignNames(p, nil, nil)
		if first.Field != "spec.site" || second.Field != "ByPlace" {
			t.Errorf("%s: the indexes are named %s and %s", target, first.Field, second.Field)
		}
	}
}
