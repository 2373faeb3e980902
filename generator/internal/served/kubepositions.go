// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package served

import (
	"go/ast"
	"go/token"
	"strings"
)

// Place returns the position of a kubebuilder or client-gen marker above the root, which
// controller-tools does not keep. It is the last marker of that name for whose text,
// without trailing quotes, says returns true. Without one it is the type's name; an alias
// may inherit the marker.
func (r *Root) Place(name string, says func(text string) bool) token.Pos {
	pos := r.Spec.Name.Pos()
	r.markerComments(func(c *ast.Comment, _ bool) {
		at := strings.Index(c.Text, "+")
		if at < 0 || strings.TrimSpace(c.Text[2:at]) != "" {
			return
		}
		rest, ok := strings.CutPrefix(c.Text[at+1:], name)
		if ok && (rest == "" || strings.IndexByte(":=, ", rest[0]) >= 0) &&
			says(strings.TrimRight(rest, "\"'` ")) {
			pos = c.Pos() + token.Pos(at)
		}
	})
	return pos
}

// containsText returns a function that reports whether a text contains part.
func containsText(part string) func(string) bool {
	return func(text string) bool { return strings.Contains(text, part) }
}
