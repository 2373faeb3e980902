// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package marker

import (
	"go/ast"
	"go/scanner"
	"go/token"
	"os"
	"regexp"
	"strings"
)

// lastWord is a marker without space, as the last word of a line.
var lastWord = regexp.MustCompile("(?:^|[\\s\"'`])(\\+(?:index(?::[^\\s`]*[^\\s`.,;!?)\"'])?|" + Selectable + ":[^\\s`]*[^\\s`.,;!?)\"']))[\"'`]?$")

// inProse returns the marker that a line comment ends with, and says that it does not count
// there: behind a sentence, behind the bullet of a list, or in quotes that are all there
// is. A marker within a sentence is merely mentioned, and none is returned.
func inProse(c *ast.Comment) (text string, pos token.Pos, problem string) {
	line, isLine := strings.CutPrefix(strings.TrimRight(c.Text, " \t"), "//")
	found := lastWord.FindStringSubmatchIndex(line)
	if found == nil || !isLine {
		return "", 0, ""
	}
	start, end := found[2], found[3]
	before := strings.TrimSpace(line[:start])
	listed := strings.Trim(before, "-*\u2022\"'` ") == ""
	if !listed && (!strings.ContainsAny(before[len(before)-1:], ".!?") || end != len(line)) {
		return "", 0, ""
	}
	text = line[start:end]
	return text, c.Pos() + token.Pos(2+start), text + " does not count behind other text; write it on a line of its own"
}

// attachable reports whether a marker in the i-th comment group of the file would be of a
// type, a field or a function, were it a line of its own. Other text may be about markers.
func attachable(file *ast.File, anchors []Anchor, i int) bool {
	node, problem := Attach(file, anchors, i)
	return node != nil || problem == atLineEnd
}

// Scanned returns what can be told of a file that does not parse: its comments, where its
// package clause is and which package it names, if it does, and whether it imports "C".
func Scanned(fset *token.FileSet, name string) *ast.File {
	text, _ := os.ReadFile(name) // of one that cannot be read the go command will say so
	lines := fset.AddFile(name, -1, len(text))
	out := &ast.File{Name: &ast.Ident{}, Package: lines.Pos(len(text))}
	var s scanner.Scanner
	s.Init(lines, text, nil, scanner.ScanComments)
	for last := token.ILLEGAL; ; {
		pos, tok, literal := s.Scan()
		switch {
		case tok == token.EOF:
			return out
		case tok == token.COMMENT:
			out.Comments = append(out.Comments, &ast.CommentGroup{List: []*ast.Comment{{Slash: pos, Text: literal}}})
			continue
		case tok == token.PACKAGE && pos < out.Package:
			out.Package = pos
		case tok == token.IDENT && last == token.PACKAGE && out.Name.Name == "":
			out.Name = &ast.Ident{NamePos: pos, Name: literal}
		case tok == token.STRING && last == token.IMPORT:
			out.Imports = append(out.Imports, &ast.ImportSpec{Path: &ast.BasicLit{ValuePos: pos, Kind: tok, Value: literal}})
		}
		last = tok
	}
}

// TextMarkers finds the markers in the comments of a file of which nobody knows what they
// stand on.
func TextMarkers(file *ast.File) []Comment {
	var out []Comment
	for _, group := range file.Comments {
		for _, c := range group.List {
			if text, pos, problem := MarkerText(c); text != "" && problem == "" {
				out = append(out, Comment{Text: text, Pos: pos, Kube: IsSelectable(text)})
			}
		}
	}
	return out
}
