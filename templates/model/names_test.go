// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package model

import "testing"

func step(names ...string) *Part {
	p := &Part{}
	for _, n := range names {
		p.Steps = append(p.Steps, &Step{Op: Field, Name: n})
	}
	return p
}

func label(of, key string) *Part {
	return &Part{Steps: []*Step{{Op: Field, Name: of}, {Op: Lookup, Name: key, Text: "['" + key + "']"}}}
}

// TestNameParts prefers short names and lengthens those that are not unique. Those that
// nothing tells apart are numbered, and no others.
func TestNameParts(t *testing.T) {
	for _, test := range []struct {
		parts []*Part
		want  []string
	}{
		{[]*Part{step("Spec", "Site"), step("Status", "Phase")}, []string{"Site", "Phase"}},
		{[]*Part{step("Spec", "Ref", "Name"), step("Name"), step("Kind")}, []string{"RefName", "Name", "Kind"}},
		{[]*Part{step("A", "Ref", "Name"), step("B", "Ref", "Name")}, []string{"ARefName", "BRefName"}},
		{[]*Part{step("Name"), step("Name")}, []string{"Name1", "Name2"}},
		{[]*Part{label("Labels", "a-b"), label("Labels", "a.b"), label("Labels", "c")}, []string{"AB1", "AB2", "C"}},
		{[]*Part{label("Labels", "a-b"), label("Labels", "a.b"), label("Labels", "a-b2")}, []string{"ABNo1", "ABNo2", "AB2"}},
		{[]*Part{label("Labels", "a2"), label("Labels", "-a2")}, []string{"A2No1", "A2No2"}},
		{[]*Part{label("Labels", "a-b"), label("Annotations", "a-b"), label("Annotations", "a.b")}, []string{"LabelsAB", "AnnotationsAB1", "AnnotationsAB2"}},
	} {
		ix := &Index{Name: "X", Parts: test.parts}
		assignKeyFields(ix)
		for i, p := range ix.Parts {
			if p.Field != test.want[i] {
				t.Errorf("part %d is %s, want %s", i, p.Field, test.want[i])
			}
		}
	}
}

// TestImports gives every package a name of its own, and none that is taken.
func TestImports(t *testing.T) {
	p := &Package{Name: "v1", Path: "example.com/a/v1", API: "example.com/a/v1", Types: []*Type{{
		Kind: "T", Plural: "Ts", Object: Ident{"example.com/a/v1", "T"},
		Indexes: []*Index{
			{Name: "A", Value: GoType{Ident: Ident{"k8s.io/api/core/v1", "Phase"}}, Kind: Owners, Parts: []*Part{{}}},
			{Name: "B", Value: GoType{Ident: Ident{"example.com/types", "X"}}, Kind: Owners, Parts: []*Part{{}}},
			{Name: "C", Value: GoType{Ident: Ident{"example.com/go-odd", "X"}}, Kind: Owners, Parts: []*Part{{}}},
		},
	}}}
	AssignNames(p, map[string]bool{"store": true}, map[string]string{"example.com/go-odd": "odd"})
	for path, want := range map[string]Import{
		Runtime: {"rt", true}, Packages["store"]: {"storepkg", true}, Types: {"types", false},
		"k8s.io/api/core/v1": {"corev1", true}, "example.com/types": {"typespkg", true}, "example.com/go-odd": {"odd", true},
	} {
		if got := p.Imports[path]; got != want {
			t.Errorf("%s is imported as %+v, want %+v", path, got, want)
		}
	}
	if _, own := p.Imports[p.Path]; own {
		t.Error("the package imports itself")
	}
}

// TestAccessors: whatever the kinds are called, the methods of the factory differ, from
// each other and from those that it has of its own.
func TestAccessors(t *testing.T) {
	p := &Package{}
	for kind, plural := range map[string]string{
		"Device": "Devices", "UseDevice": "UseDevices",
		"Shutdown": "Shutdown", "Run": "Run", "ShutdownContext": "ShutdownContext", "Start": "Start", "WaitForSync": "WaitForSync",
	} {
		p.Types = append(p.Types, &Type{Kind: kind, Plural: plural, Namespaced: true})
	}
	AssignNames(p, nil, nil)
	seen := map[string]bool{"Factory": true, "Start": true, "Run": true, "WaitForSync": true, "Shutdown": true, "ShutdownContext": true}
	for _, typ := range p.Types {
		for _, name := range []string{typ.Accessor, typ.UseAccessor} {
			if seen[name] {
				t.Errorf("%s of %s is there twice", name, typ.Kind)
			}
			seen[name] = true
		}
	}
	if !seen["Devices"] || !seen["UseDevices"] {
		t.Errorf("a neighbor has taken the names of Device: %v", seen)
	}
}
