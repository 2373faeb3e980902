// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package load

import (
	"go/ast"
	"go/token"
	"slices"
	"strings"

	"sigs.k8s.io/controller-tools/pkg/loader"

	"github.com/indexer-gen/indexer-gen/generator/internal/marker"
)

// markedSignaturePackages returns the packages that signatures of marked functions refer to. The
// loader type-checks only what types refer to, so the result types of these functions
// would otherwise be unknown.
func markedSignaturePackages(fset *token.FileSet, pkg *loader.Package) []*loader.Package {
	pkg.NeedSyntax()
	var out []*loader.Package
	for _, file := range pkg.Syntax {
		if !slices.ContainsFunc(file.Comments, func(g *ast.CommentGroup) bool {
			return slices.ContainsFunc(
				g.List, func(c *ast.Comment) bool { return strings.Contains(c.Text, "+index:func") })
		}) {
			continue // most files
		}
		for _, comment := range marker.Comments(fset, file) {
			fn, ok := comment.Node.(*ast.FuncDecl)
			if !ok {
				continue
			}
			ast.Inspect(fn.Type, func(n ast.Node) bool {
				sel, ok := n.(*ast.SelectorExpr)
				if !ok {
					return true
				}
				if _, imported := ImportOf(pkg, file, sel); imported != nil &&
					!slices.Contains(out, imported) {
					out = append(out, imported)
				}
				return false
			})
		}
	}
	return out
}
