// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package served

import (
	"go/ast"
	"go/token"
	"strings"
)

// Place returns where a marker of kubebuilder's or client-gen's stands above the root,
// which controller-tools does not keep: the last one of that name of whose text, without
// quotes at its end, says is true. If there is none, as when an alias has the marker from
// its type, it is the place of the type's name.
func (r *Root) Place(name string, says func(text string) bool) token.Pos {
	pos := r.Spec.Name.Pos()
	r.eachComment(func(c *ast.Comment, _ bool) {
		at := strings.Index(c.Text, "+")
		if at < 0 || strings.TrimSpace(c.Text[2:at]) != "" {
			return
		}
		rest, ok := strings.CutPrefix(c.Text[at+1:], name)
		if ok && (rest == "" || strings.IndexByte(":=, ", rest[0]) >= 0) && says(strings.TrimRight(rest, "\"'` ")) {
			pos = c.Pos() + token.Pos(at)
		}
	})
	return pos
}

// contains says whether a text contains another.
func contains(part string) func(string) bool {
	return func(text string) bool { return strings.Contains(text, part) }
}
