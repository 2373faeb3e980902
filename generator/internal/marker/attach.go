// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package marker

import (
	"go/ast"
	"go/token"
	"slices"
)

// Anchor is a node that a comment can belong to, in a list of siblings.
type Anchor struct {
	Node                ast.Node // the declaration that can be marked; nil for others
	Doc                 *ast.CommentGroup
	trailingComment     *ast.CommentGroup // trailing, on the same line
	start               token.Pos
	end                 token.Pos
	enclosing           ast.Node // the enclosing file, declaration or struct
	markerError         string   // the error for a marker here, if Node is nil
	enclosedMarkerError string   // the error for a marker inside that marks no member
}

// AnchorsOf returns the declarations, types and fields of a file in source order.
func AnchorsOf(file *ast.File) []Anchor {
	var out []Anchor
	fields := func(root ast.Node) {
		ast.Inspect(root, func(n ast.Node) bool {
			st, ok := n.(*ast.StructType)
			if ok && st.Fields != nil {
				for _, f := range st.Fields.List {
					out = append(out, Anchor{Node: f, Doc: f.Doc, trailingComment: f.Comment, start: f.Pos(),
						end: f.End(), enclosing: st})
				}
			}
			return true
		})
	}
	for _, decl := range file.Decls {
		switch d := decl.(type) {
		case *ast.FuncDecl:
			out = append(out, Anchor{Node: d, Doc: d.Doc, start: d.Pos(), end: d.End(), enclosing: file,
				enclosedMarkerError: insideDeclarationError("the function " + d.Name.Name)})
		case *ast.GenDecl:
			if !d.Lparen.IsValid() && len(d.Specs) == 1 {
				one := anchorOfSpec(d, d.Specs[0])
				one.Doc, one.start, one.end, one.enclosing = d.Doc, d.Pos(), d.End(), file
				out = append(out, one)
			} else {
				out = append(out, anchorOfGroup(d, file))
				for _, s := range d.Specs {
					out = append(out, anchorOfSpec(d, s))
				}
			}
			if d.Tok == token.TYPE {
				fields(d)
			}
		}
	}
	slices.SortStableFunc(out, func(a, b Anchor) int { return int(a.start - b.start) })
	return out
}

const notAttachedError = "the marker is not attached to anything; write it right above a type or a struct field"

const lineEndMarkerError = "a marker at the end of a line has no effect; write it on a line of its own above"

// isTrailing reports whether code precedes a comment on its line, such as a closing brace.
// Such a comment does not belong to the declaration on the next line.
func isTrailing(fset *token.FileSet, file *ast.File, comment token.Pos) bool {
	lines := fset.File(comment)
	start := lines.LineStart(lines.PositionFor(comment, false).Line) // ignore //line directives
	found := false
	ast.Inspect(file, func(n ast.Node) bool {
		switch n.(type) {
		case nil, *ast.CommentGroup:
			return false
		}
		if n.Pos() >= comment || n.End() <= start {
			return false
		}
		open := token.NoPos
		switch n := n.(type) {
		case *ast.FieldList:
			open = n.Opening
		case *ast.GenDecl:
			open = n.Lparen
		case *ast.BlockStmt:
			open = n.Lbrace
		}
		found = found || n.End() <= comment || start <= open && open < comment
		return true
	})
	return found
}

// Attach returns the node that the i-th comment group of the file belongs to. This is the
// node with that doc comment, or the next node if no other comment is between. If there
// is no such node, Attach returns nil and an error message.
func Attach(file *ast.File, anchors []Anchor, i int) (ast.Node, string) {
	group := file.Comments[i]
	for _, a := range anchors {
		if a.Doc == group {
			return a.Node, anchorError(a)
		}
		if a.trailingComment == group {
			return nil, lineEndMarkerError
		}
	}
	next := slices.IndexFunc(anchors, func(a Anchor) bool { return a.start >= group.End() })
	if next < 0 || group.Pos() < file.Name.End() {
		return nil, unattachedError(anchors, group)
	}
	a := anchors[next]
	if i+1 < len(file.Comments) {
		if c := file.Comments[i+1]; c != a.Doc && c.Pos() < a.start {
			return nil, unattachedError(anchors, group)
		}
	}
	outside := group.Pos() < a.enclosing.Pos() || a.enclosing.End() < group.End()
	within := slices.ContainsFunc(anchors, func(b Anchor) bool {
		return b.enclosing == a.enclosing && b.encloses(group)
	})
	if outside || within {
		return nil, unattachedError(anchors, group)
	}
	return a.Node, anchorError(a)
}

func (a Anchor) encloses(group *ast.CommentGroup) bool {
	return a.start <= group.Pos() && group.End() <= a.end
}

// unattachedError returns the error for a marker that is not above a declaration.
func unattachedError(anchors []Anchor, group *ast.CommentGroup) string {
	for _, a := range slices.Backward(anchors) { // the innermost comes last
		if a.enclosedMarkerError != "" && a.encloses(group) {
			return a.enclosedMarkerError
		}
	}
	return notAttachedError
}

func anchorError(a Anchor) string {
	switch n := a.Node.(type) {
	case nil:
		return a.markerError
	case *ast.Field:
		if len(n.Names) > 1 {
			return "the marker is on several fields at once; give each a line of its own"
		}
	}
	return ""
}
