// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package generator

import (
	"go/ast"
	"go/token"
	"slices"
)

// anchor is a node that a comment can belong to, in a list of siblings.
type anchor struct {
	node    ast.Node // what markers attach to; nil for other declarations
	doc     *ast.CommentGroup
	comment *ast.CommentGroup // trailing, on the same line
	start   token.Pos
	end     token.Pos
	inside  ast.Node // the file, declaration or struct whose member it is
	value   string   // of a variable or constant: what to say of a marker there
}

// anchorsOf lists declarations, types and fields in source order.
func anchorsOf(file *ast.File) []anchor {
	var out []anchor
	fields := func(root ast.Node) {
		ast.Inspect(root, func(n ast.Node) bool {
			st, ok := n.(*ast.StructType)
			if ok && st.Fields != nil {
				for _, f := range st.Fields.List {
					out = append(out, anchor{node: f, doc: f.Doc, comment: f.Comment, start: f.Pos(), end: f.End(), inside: st})
				}
			}
			return true
		})
	}
	for _, decl := range file.Decls {
		switch d := decl.(type) {
		case *ast.FuncDecl:
			out = append(out, anchor{node: d, doc: d.Doc, start: d.Pos(), end: d.End(), inside: file})
		case *ast.GenDecl:
			if d.Tok != token.TYPE {
				out = append(out, anchor{doc: d.Doc, start: d.Pos(), end: d.End(), inside: file, value: misplaced(d)})
				continue
			}
			if !d.Lparen.IsValid() && len(d.Specs) == 1 {
				spec := d.Specs[0].(*ast.TypeSpec)
				out = append(out, anchor{node: spec, doc: d.Doc, comment: spec.Comment, start: d.Pos(), end: d.End(), inside: file})
			} else {
				out = append(out, anchor{doc: d.Doc, start: d.Pos(), end: d.End(), inside: file})
				for _, s := range d.Specs {
					spec := s.(*ast.TypeSpec)
					out = append(out, anchor{node: spec, doc: spec.Doc, comment: spec.Comment, start: spec.Pos(), end: spec.End(), inside: d})
				}
			}
			fields(d)
		}
	}
	slices.SortStableFunc(out, func(a, b anchor) int { return int(a.start - b.start) })
	return out
}

const notAttached = "the marker is not attached to anything; write it right above a type or a struct field"

// attach finds the node that the i-th comment group of the file belongs to: the
// one whose doc comment it is, or the next one if nothing is between.
func attach(file *ast.File, anchors []anchor, i int) (ast.Node, string) {
	group := file.Comments[i]
	for _, a := range anchors {
		if a.doc == group {
			return a.node, problemOf(a)
		}
		if a.comment == group {
			return nil, "a marker at the end of a line does not count; write it on a line of its own above"
		}
	}
	next := slices.IndexFunc(anchors, func(a anchor) bool { return a.start >= group.End() })
	if next < 0 || group.Pos() < file.Name.End() {
		return nil, notAttached
	}
	a := anchors[next]
	if i+1 < len(file.Comments) {
		if c := file.Comments[i+1]; c != a.doc && c.Pos() < a.start {
			return nil, notAttached
		}
	}
	outside := group.Pos() < a.inside.Pos() || a.inside.End() < group.End()
	within := slices.ContainsFunc(anchors, func(b anchor) bool {
		return b.inside == a.inside && b.start <= group.Pos() && group.End() <= b.end
	})
	if outside || within {
		return nil, notAttached
	}
	return a.node, problemOf(a)
}

func problemOf(a anchor) string {
	switch n := a.node.(type) {
	case nil:
		if a.value != "" {
			return a.value
		}
		return notAttached
	case *ast.Field:
		if len(n.Names) > 1 {
			return "the marker is on several fields at once; give each a line of its own"
		}
	}
	return ""
}

// misplaced says what is wrong with a marker on variables or constants, or "".
func misplaced(d *ast.GenDecl) string {
	if d.Tok == token.IMPORT || len(d.Specs) == 0 {
		return ""
	}
	spec, ok := d.Specs[0].(*ast.ValueSpec)
	if !ok {
		return ""
	}
	name := spec.Names[0].Name
	if len(spec.Values) == 1 {
		if _, isFunc := spec.Values[0].(*ast.FuncLit); isFunc {
			return "the marker is on a variable, and of functions only those that are declared count; write func " + name + "(…)"
		}
	}
	return "the marker is on a " + map[token.Token]string{token.VAR: "variable", token.CONST: "constant"}[d.Tok] +
		", " + name + ", which no index is of; write it right above a type, a struct field or a function"
}
