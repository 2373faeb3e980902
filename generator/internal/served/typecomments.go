// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package served

import (
	"go/ast"
	"slices"

	"github.com/indexer-gen/indexer-gen/generator/internal/load"
	"github.com/indexer-gen/indexer-gen/generator/internal/marker"
)

// markerComments yields the comment lines that can hold markers of the type.
func (r *Root) markerComments(yield func(c *ast.Comment, isDoc bool)) {
	EachCommentOf(load.FileOf(r.Pkg, r.Spec), r.Spec, yield)
}

// EachCommentOf yields the comment lines that can hold markers of a type or field. These
// are its doc comment and the comment above that, separated only by blank lines.
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
