// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package index

import (
	"go/ast"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"
)

// TestDocumented reads the doc comments of the reference types of k8s.io/api that documented names.
func TestDocumented(t *testing.T) {
	says := map[string][]string{
		"TypedLocalObjectReference":       {"If APIGroup is not specified, the specified Kind must be in the core API group"},
		"TypedObjectReference":            {"If APIGroup is not specified, the specified Kind must be in the core API group"},
		"IngressClassParametersReference": {"If APIGroup is not specified, the specified Kind must be in the core API group"},
		"RoleRef":                         {"apiGroup is the group for the resource being referenced +optional"},
		"Subject": {
			`Defaults to "" for ServiceAccount subjects`,
			`Defaults to "` + rbacGroup + `" for User and Group subjects`,
		},
	}
	for name := range documentedGroups {
		path, typeName := name[:strings.LastIndex(name, ".")], name[strings.LastIndex(name, ".")+1:]
		pkgs, err := packages.Load(&packages.Config{Mode: packages.NeedSyntax | packages.NeedFiles | packages.NeedName}, path)
		if err != nil {
			t.Fatal(err)
		}
		if len(pkgs[0].Syntax) == 0 {
			t.Skip("only the workspace requires k8s.io/api: ", pkgs[0].Errors)
		}
		text := ""
		for _, file := range pkgs[0].Syntax {
			ast.Inspect(file, func(n ast.Node) bool {
				if spec, ok := n.(*ast.TypeSpec); ok && spec.Name.Name == typeName {
					for _, f := range spec.Type.(*ast.StructType).Fields.List {
						if f.Names[0].Name == "APIGroup" {
							for _, c := range f.Doc.List {
								text += " " + strings.TrimSpace(strings.TrimPrefix(c.Text, "//"))
							}
						}
					}
				}
				return true
			})
		}
		for _, part := range says[typeName] {
			if !strings.Contains(text, part) {
				t.Errorf("the group of %s is documented as %q, which lacks %q", name, text, part)
			}
		}
	}
}
