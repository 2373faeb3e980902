// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package marker

import (
	"go/ast"
	"go/token"
)

// elsewhere is the way out for a marker on something that has no indexes.
const elsewhere = "; write it right above a type, a struct field or a function"

// kindOf says what a keyword declares.
var kindOf = map[token.Token]string{token.VAR: "variable", token.CONST: "constant", token.IMPORT: "import"}

// anchorOf makes the anchor of one part of a group of declarations. Only types can be
// marked.
func anchorOf(d *ast.GenDecl, s ast.Spec) Anchor {
	out := Anchor{start: s.Pos(), end: s.End(), inside: d}
	switch s := s.(type) {
	case *ast.TypeSpec:
		out.Node, out.Doc, out.comment = s, s.Doc, s.Comment
		if _, ok := s.Type.(*ast.InterfaceType); ok {
			out.within = insideOf("the interface " + s.Name.Name)
		}
	case *ast.ValueSpec:
		out.Doc, out.comment, out.refused = s.Doc, s.Comment, onValue(d.Tok, s)
		out.within = insideOf("the " + kindOf[d.Tok] + " " + s.Names[0].Name)
	case *ast.ImportSpec:
		out.Doc, out.comment, out.refused = s.Doc, s.Comment, "the marker is on an import"+elsewhere
	}
	return out
}

// onValue says what is wrong with a marker on variables or constants.
func onValue(tok token.Token, s *ast.ValueSpec) string {
	return "the marker is on a " + kindOf[tok] + ", " + s.Names[0].Name + ", which no index is of" + elsewhere
}

// anchorOfGroup makes the anchor of a group. A marker above its parentheses is of none
// of its types; controller-gen, too, takes none there for that of a type.
func anchorOfGroup(d *ast.GenDecl, file *ast.File) Anchor {
	out := Anchor{Doc: d.Doc, start: d.Pos(), end: d.End(), inside: file}
	if d.Tok == token.TYPE {
		out.refused = "the marker is on a group of types; write it within the parentheses, right above the type that is meant"
		return out
	}
	group := "a group of " + kindOf[d.Tok] + "s"
	out.refused, out.within = "the marker is on "+group+elsewhere, insideOf(group)
	return out
}

// insideOf says what is wrong with a marker inside something whose parts have no
// indexes.
func insideOf(what string) string {
	return "the marker is inside " + what + ", where none counts; write it right above a type, a struct field or a function of the package"
}
