// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package marker

import (
	"go/ast"
	"go/parser"
	"go/token"
	"testing"
)

func FuzzMarkers(f *testing.F) {
	for _, s := range []string{
		"+index", "+index:generate", "+index:owner", "+index:name=N,path=.spec.a", "+index:name=N,paths={.a,.b['c']}",
		"+index:name=\"N\"", "+index:name=", "+index:paths={", "+index:paths=a;b", "+index:unique=tru", "+index:name=`x", "+index=",
		"+index:", "+index:func:name=F", "+index:ref:name=N,path=.a,namespacePath=.b", "+index:name=N,,", "+index:name='", "+index:ordered", "+index:name=A,paths={.a;.b['x,y'],`.c`}",
		"+index:.spec.nodeName", "+index: .x", "+index:=Foo", "+index:\"N\"", "+index:[*]", "+index:{.spec.a}", "+index:..", "+index:.spec.a,.spec.b",
		"+indx:.spec.a", "+indx::", "+kubebuilder:index:.spec.a", "+kubebuilder:index: =", "+index:(", "+index:::owner", "+index:.a,unique=true",
	} {
		for on := range 3 {
			f.Add(s, on)
		}
	}
	f.Fuzz(func(t *testing.T, text string, on int) {
		if text, _, problem := markerText(&ast.Comment{Text: "// " + text}); text == "" && problem != "" {
			t.Errorf("problem %q of no marker", problem)
		}
		if !isMarker(text) || on < 0 || on > 2 {
			return
		}
		def, options, bad := parseMarker(text, declarationKind(on))
		if len(bad) == 0 {
			bad = def.checkCombination(options, declarationKind(on))
		}
		for _, e := range bad {
			if e.Message == "" || e.Offset < 0 || e.Offset > len(text) {
				t.Errorf("parse(%q) = %+v", text, e)
			}
		}
		if len(bad) == 0 && def == nil {
			t.Errorf("parse(%q) = nil, %v, no error", text, options)
		}
	})
}

// FuzzComments checks that no source makes the comment pass panic, and that it
// accounts for every comment line that begins with a marker.
func FuzzComments(f *testing.F) {
	for _, s := range []string{
		"package p\n\n// +index\ntype T struct {\n\t// +index\n\tA int // +index\n\t// +index\n}\n",
		"// +index\npackage p\n// +index\nfunc f() {\n// +index\n}\n// +index",
		"package p\ntype T struct {\n\t// +kubebuilder:selectablefield:JSONPath=.a\n\tA int\n}\n\n// +kubebuilder:selectablefields\n// \u200b+index\n// ++index\nfunc f()\n",
		"// +groupName=\"g\"\n// x +groupName=g\n//+versionName=`v1`\npackage p\n/*\n* +groupName=\n+groupName=g */\n// + groupName = g\ntype T int",
		"package p\n/* +index */\n/*\n * +index\n */\ntype (\n// +index\n\n// +index\nT int\n)\n// +idnex\nvar x int",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, source string) {
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, "p.go", source, parser.ParseComments)
		if err != nil {
			return
		}
		found := map[token.Pos]bool{}
		for _, m := range Comments(fset, file) {
			found[m.Pos] = true
			if (m.Node == nil) == (m.Problem == "") {
				t.Errorf("%q has node %v and problem %q", m.Text, m.Node, m.Problem)
			}
		}
		for _, group := range file.Comments {
			for _, c := range group.List {
				if text, pos, _ := markerText(c); isMarker(text) && !found[pos] {
					t.Errorf("%q is not accounted for", c.Text)
				}
			}
		}
	})
}
