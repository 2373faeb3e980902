// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package generator

import (
	"go/ast"
	"slices"
)

// eachComment yields the lines of the comments that markers of the type can stand in.
func (r *root) eachComment(yield func(c *ast.Comment, isDoc bool)) {
	eachCommentOf(fileOf(r.pkg, r.spec), r.spec, yield)
}

// eachCommentOf yields the lines of the comments that markers of a type or field can stand
// in: its doc comment and, with only blank lines between, those above that.
func eachCommentOf(file *ast.File, of ast.Node, yield func(c *ast.Comment, isDoc bool)) {
	anchors := anchorsOf(file)
	doc := slices.IndexFunc(anchors, func(a anchor) bool { return a.node == of })
	for i, group := range file.Comments {
		if group.Pos() > of.Pos() {
			return
		}
		if node, _ := attach(file, anchors, i); node != of {
			continue
		}
		for _, c := range group.List {
			yield(c, doc >= 0 && anchors[doc].doc == group)
		}
	}
}
