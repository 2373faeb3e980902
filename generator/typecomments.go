// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package generator

import (
	"go/ast"
	"slices"
)

// eachComment yields the lines of the comments that markers of the type can stand in:
// its doc comment and, with only blank lines between, those above that.
func (r *root) eachComment(yield func(c *ast.Comment, isDoc bool)) {
	file := fileOf(r.pkg, r.spec)
	anchors := anchorsOf(file)
	doc := slices.IndexFunc(anchors, func(a anchor) bool { return a.node == r.spec })
	for i, group := range file.Comments {
		if group.Pos() > r.spec.Pos() {
			return
		}
		if node, _ := attach(file, anchors, i); node != r.spec {
			continue
		}
		for _, c := range group.List {
			yield(c, doc >= 0 && anchors[doc].doc == group)
		}
	}
}
