// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package marker

import (
	"go/ast"
	"go/token"
)

// elsewhere ends the error for a marker on a declaration that cannot be marked.
const elsewhere = "; write it right above a type, a struct field or a function"

// kindOf names what a keyword declares.
var kindOf = map[token.Token]string{token.VAR: "variable", token.CONST: "constant", token.IMPORT: "import"}

// anchorOf returns the anchor of one spec of a declaration. Only types can be marked.
func anchorOf(d *ast.GenDecl, s ast.Spec) Anchor {
	out := Anchor{start: s.Pos(), end: s.End(), inside: d}
	switch s := s.(type) {
	case *ast.TypeSpec:
		out.Node, out.Doc, out.comment = s, s.Doc, s.Comment
		if _, ok := s.Type.(*ast.InterfaceType); ok {
			out.within = insideError("the interface " + s.Name.Name)
		}
	case *ast.ValueSpec:
		out.Doc, out.comment, out.refused = s.Doc, s.Comment,
			"the marker is on a "+kindOf[d.Tok]+", "+s.Names[0].Name+", which no index is of"+elsewhere
		out.within = insideError("the " + kindOf[d.Tok] + " " + s.Names[0].Name)
	case *ast.ImportSpec:
		out.Doc, out.comment, out.refused = s.Doc, s.Comment, "the marker is on an import"+elsewhere
	}
	return out
}

// anchorOfGroup returns the anchor of a parenthesized group. A marker above the group
// marks none of its types; controller-gen has the same rule.
func anchorOfGroup(d *ast.GenDecl, file *ast.File) Anchor {
	out := Anchor{Doc: d.Doc, start: d.Pos(), end: d.End(), inside: file}
	if d.Tok == token.TYPE {
		out.refused = "the marker is on a group of types; write it within the parentheses, right above " +
			"the type that is meant"
		return out
	}
	group := "a group of " + kindOf[d.Tok] + "s"
	out.refused, out.within = "the marker is on "+group+elsewhere, insideError(group)
	return out
}

// insideError returns the error for a marker inside a declaration whose members cannot be
// marked.
func insideError(what string) string {
	return "the marker is inside " + what +
		", where none counts; write it right above a type, a struct field or a function of the package"
}
