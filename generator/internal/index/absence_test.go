// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package index_test

import (
	"strings"
	"testing"
)

// TestAbsence says what an absent or empty kind and group of a reference mean, for one kind and for all kinds.
func TestAbsence(t *testing.T) {
	const any, core, none = "any group", "the core group", "no reference"
	for fields, want := range map[string]struct {
		kind, group string
	}{
		"Kind string ~json:\"kind,omitempty\"~\nGroup string ~json:\"group,omitempty\"~":      {"any kind", any},
		"Kind *string ~json:\"kind\"~\nGroup *string ~json:\"group\"~":                        {"any kind", any},
		"Kind *string ~json:\"kind\"~\nAPIVersion *string ~json:\"apiVersion\"~":              {"any kind", any},
		"Kind string ~json:\"kind\"~\nGroup string ~json:\"group\"~":                          {none, core},
		"Kind string ~json:\"kind\"~\nAPIGroup string ~json:\"apiGroup\"~":                    {none, core},
		"Kind string ~json:\"kind\"~\nAPIVersion string ~json:\"apiVersion\"~":                {none, core},
		"Kind string ~json:\"kind\"~\nAPIVersion string ~json:\"apiVersion,omitempty\"~":      {none, any},
		"// +default=\"Gadget\"\nKind *string ~json:\"kind\"~\nGroup string ~json:\"group\"~": {"Gadget", core},
	} {
		for _, to := range []string{"Gadget.example.org", "*"} {
			indexes, bad := build(t, "// +index:ref:name=Of,path=.spec.of,scope=Namespaced,to="+to,
				"Of struct {\nName string ~json:\"name\"~\n"+fields+"\n} ~json:\"of\"~", "")
			if len(bad) > 0 || len(indexes) != 1 {
				t.Fatalf("%s, to=%s: %d indexes, %q", fields, to, len(indexes), bad)
			}
			kind, group := want.kind, want.group
			if to == "*" {
				kind, group = strings.Replace(kind, "any kind", none, 1), strings.Replace(group, any, core, 1)
			}
			means := indexes[0].Absent
			if means[0].Means != kind || means[1].Means != group {
				t.Errorf("%s, to=%s: %+v, want %s and %s", fields, to, means, kind, group)
			}
			for _, step := range indexes[0].Parts[0].Steps {
				for i, c := range step.Conditions { // of to=Kind.group, in the order of means
					if empty := strings.HasPrefix(means[i].Means, "any") && !c.Steps[0].Pointer; c.Empty != empty {
						t.Errorf("%s: an empty %s matches: %t", fields, means[i].Field, c.Empty)
					}
				}
			}
		}
	}
}
