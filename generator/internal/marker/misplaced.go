// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package marker

import (
	"go/ast"
	"go/token"
)

// markableDeclsHint ends the error for a marker on a declaration that cannot be marked.
const markableDeclsHint = "; write it right above a type, a struct field or a function"

// keywordNames names what a keyword declares.
var keywordNames = map[token.Token]string{token.VAR: "variable", token.CONST: "constant", token.IMPORT: "import"}

// anchorOfSpec returns the anchor of one spec of a declaration. Only types can be marked.
func anchorOfSpec(d *ast.GenDecl, s ast.Spec) Anchor {
	out := Anchor{start: s.Pos(), end: s.End(), enclosing: d}
	switch s := s.(type) {
	case *ast.TypeSpec:
		out.Node, out.Doc, out.trailingComment = s, s.Doc, s.Comment
		if _, ok := s.Type.(*ast.InterfaceType); ok {
			out.enclosedMarkerError = insideDeclarationError("the interface " + s.Name.Name)
		}
	case *ast.ValueSpec:
		out.Doc, out.trailingComment, out.markerError = s.Doc, s.Comment,
			"the marker is on a "+keywordNames[d.Tok]+", "+s.Names[0].Name+", which no index is of"+markableDeclsHint
		out.enclosedMarkerError = insideDeclarationError("the " + keywordNames[d.Tok] + " " + s.Names[0].Name)
	case *ast.ImportSpec:
		out.Doc, out.trailingComment, out.markerError = s.Doc, s.Comment, "the marker is on an import"+markableDeclsHint
	}
	return out
}

// anchorOfGroup returns the anchor of a parenthesized group. A marker above the group
// marks none of its types; controller-gen has the same rule.
func anchorOfGroup(d *ast.GenDecl, file *ast.File) Anchor {
	out := Anchor{Doc: d.Doc, start: d.Pos(), end: d.End(), enclosing: file}
	if d.Tok == token.TYPE {
		out.markerError = "the marker is on a group of types; write it within the parentheses, right above " +
			"the type that is meant"
		return out
	}
	group := "a group of " + keywordNames[d.Tok] + "s"
	out.markerError, out.enclosedMarkerError = "the marker is on "+group+markableDeclsHint, insideDeclarationError(group)
	return out
}

// insideDeclarationError returns the error for a marker inside a declaration whose members cannot be
// marked.
func insideDeclarationError(what string) string {
	return "the marker is inside " + what +
		", where none counts; write it right above a type, a struct field or a function of the package"
}
