// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package marker

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

// TestAttachedMarkers lists every marker of the sources in testdata/attached: its declaration and its
// options, or the error. The list follows each source. UPDATE=1 rewrites it.
func TestAttachedMarkers(t *testing.T) { compareTables(t, "testdata/attached", attached) }

func attached(t *testing.T, source txtar.File) string {
	t.Helper()
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, source.Name, source.Data, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	for _, m := range Comments(fset, file) {
		at := fset.Position(m.Pos)
		fmt.Fprintf(&out, "%d:%d: ", at.Line, at.Column)
		switch {
		case m.Problem != "":
			fmt.Fprintln(&out, m.Problem)
		case m.Kube:
			fmt.Fprintf(&out, "%s: %s\n", described(m.Node), m.Text)
		default:
			def, options, bad := m.Parse()
			if len(bad) > 0 {
				t.Errorf("%s: %v", m.Text, bad)
				continue
			}
			fmt.Fprintf(&out, "%s: +%s%s\n", described(m.Node), def.Name, listed(m.Text, options))
		}
	}
	return out.String()
}

// listed returns the options with their values in angle brackets, as they stand at their offsets.
func listed(text string, options Options) string {
	var out strings.Builder
	for _, o := range options {
		fmt.Fprintf(&out, " %s@%s", o.Name, text[o.offset:][:len(o.Name)])
		for _, v := range o.values {
			fmt.Fprintf(&out, "<%s@%s>", v.Text, text[v.Offset:][:len(v.Text)])
		}
	}
	for _, name := range []string{"unique", "ordered"} {
		if options.Flag(name) {
			fmt.Fprintf(&out, " (%s)", name)
		}
	}
	return out.String()
}

func described(n ast.Node) string {
	switch n := n.(type) {
	case *ast.TypeSpec:
		return "type " + n.Name.Name
	case *ast.FuncDecl:
		return "func " + n.Name.Name
	case *ast.Field:
		if len(n.Names) == 0 {
			return "field " + types.ExprString(n.Type)
		}
		return "field " + n.Names[0].Name
	}
	return fmt.Sprintf("%T", n)
}

func TestMarkersAreDocumented(t *testing.T) {
	want := map[string]string{
		"+index": "a type, an alias or a field", "+index:generate": "a type or an alias",
		"+index:owner": "a type or an alias", "+index:labels": "a type or an alias",
		"+index:ref": "a type, an alias or a field", "+index:func": "a function",
		"+kubebuilder:selectablefield": "a type or an alias",
	}
	for _, m := range Markers() {
		if m.On != want[m.Name] || m.Help == "" {
			t.Errorf("%s is on %q, want %q; help %q", m.Name, m.On, want[m.Name], m.Help)
		}
		delete(want, m.Name)
	}
	if len(want) > 0 {
		t.Errorf("not documented: %v", want)
	}
}
