// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package served

import (
	"go/ast"
	"slices"

	"github.com/indexer-gen/indexer-gen/generator/internal/load"
	"github.com/indexer-gen/indexer-gen/generator/internal/marker"
)

// eachComment yields the lines of the comments that markers of the type can stand in.
func (r *Root) eachComment(yield func(c *ast.Comment, isDoc bool)) {
	EachCommentOf(load.FileOf(r.Pkg, r.Spec), r.Spec, yield)
}

// EachCommentOf yields the lines of the comments that markers of a type or field can stand
// in: its doc comment and, with only blank lines between, those above that.
func EachCommentOf(file *ast.File, of ast.Node, yield func(c *ast.Comment, isDoc bool)) {
	anchors := marker.AnchorsOf(file)
	doc := slices.IndexFunc(anchors, func(a marker.Anchor) bool { return a.Node == of })
	for i, group := range file.Comments {
		if group.Pos() > of.Pos() {
			return
		}
		if node, _ := marker.Attach(file, anchors, i); node != of {
			continue
		}
		for _, c := range group.List {
			yield(c, doc >= 0 && anchors[doc].Doc == group)
		}
	}
}
