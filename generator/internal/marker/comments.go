// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package marker

import (
	"go/ast"
	"go/token"
	"slices"
	"strings"
	"unicode"

	"github.com/indexer-gen/indexer-gen/generator/internal/diag"
)

// Comment is a comment that is, or resembles, an +index marker or a selectable field.
type Comment struct {
	Text    string    // starts at the +
	Pos     token.Pos // the position of the +
	Node    ast.Node  // the marked *ast.TypeSpec, *ast.Field or *ast.FuncDecl; nil if Problem is set
	Problem string    // why the marker is not valid here, or ""
	Kube    bool      // it is +kubebuilder:selectablefield; controller-tools parses it
}

// On returns the kind of declaration that is marked.
func (m Comment) On() declarationKind {
	switch m.Node.(type) {
	case *ast.Field:
		return OnField
	case *ast.FuncDecl:
		return onFunc
	}
	return onType
}

// Parse returns the definition and options of the marker, and every error in its text.
// The definition is nil if the marker is unknown.
func (m Comment) Parse() (def *definition, options Options, bad []Error) {
	def, options, bad = parseMarker(m.Text, m.On())
	if len(bad) == 0 {
		return def, options, def.checkCombination(options, m.On())
	}
	name := options.Word("name")
	why := indexNameError(name.Text)
	reported := slices.ContainsFunc(bad, func(e Error) bool { return e.Offset == name.Offset })
	if name.Text != "" && why != "" && !reported {
		bad = append(bad, Error{name.Offset, why})
	}
	return def, options, bad
}

// Comments returns every comment of a file that begins with +index, or resembles it.
//
// A marker is valid in the doc comment of a type, field or function, or in the comment
// directly above that one. Kubebuilder has the same rule. Elsewhere Problem is set.
func Comments(fset *token.FileSet, file *ast.File) []Comment {
	var out []Comment
	anchors := AnchorsOf(file)
	for i, group := range file.Comments {
		for _, c := range group.List {
			text, pos, problem := markerText(c)
			if text == "" {
				continue
			}
			m := Comment{Text: text, Pos: pos, Problem: problem}
			if problem == "" {
				m.Node, m.Problem = Attach(file, anchors, i)
				if isTrailing(fset, file, group.Pos()) {
					m.Node, m.Problem = nil, lineEndMarkerError
				}
			}
			if m.Kube = IsSelectable(text); m.Kube && problem == "" {
				if _, onType := m.Node.(*ast.TypeSpec); !onType {
					m.Node, m.Problem = nil, "+"+Selectable+" is for a type, with the path of the "+
						"field: write it right above the root type"
				}
			}
			out = append(out, m)
		}
	}
	return out
}

// markerText returns the marker in a comment, or "". The problem says why the marker is
// not valid, or is "".
func markerText(c *ast.Comment) (text string, pos token.Pos, problem string) {
	body := c.Text[2:]
	if strings.HasPrefix(c.Text, "/*") {
		at := c.Pos() + 2
		for line := range strings.SplitAfterSeq(strings.TrimSuffix(body, "*/"), "\n") {
			trimmed := strings.TrimLeft(line, " \t*")
			if isMarker(trimmed) || IsSelectable(trimmed) {
				return strings.TrimRight(trimmed, "\r\n "), at + token.Pos(len(line)-len(trimmed)),
					"a marker in a /* */ comment has no effect; write it as a // comment of its own line"
			}
			at += token.Pos(len(line))
		}
		return "", 0, ""
	}
	trimmed := strings.TrimSpace(body)
	pos = c.Pos() + token.Pos(2+strings.Index(body, trimmed))
	if isMarker(trimmed) || IsSelectable(trimmed) {
		return trimmed, pos, ""
	}
	if rest, ok := strings.CutPrefix(trimmed, "+"); ok {
		rest = strings.TrimLeft(rest, "+")
		head := leadingWord(rest)
		spaced := strings.TrimSpace(rest)
		lower := strings.ToLower(head)
		switch {
		case rest != trimmed[1:] && (isMarker("+"+rest) || IsSelectable("+"+rest)):
			return trimmed, pos, "a marker has one +; write +" + rest
		case strings.HasPrefix(rest, "k8s:") && looksLikeIndex(leadingWord(rest[len("k8s:"):])):
			return trimmed, pos, "unknown marker +k8s:" + leadingWord(rest[len("k8s:"):]) + meantIndexHint
		case rest != spaced && (isMarker("+"+spaced) || IsSelectable("+"+spaced)):
			return trimmed, pos, "a marker has no space after the +; write +" + spaced
		case looksLikeIndex(lower), len(head) > 3 && diag.Distance(lower, "index") == 1:
			return trimmed, pos, "unknown marker +" + head + meantIndexHint
		}
	}
	return "", 0, ""
}

// leadingWord returns the leading letters, dashes and underscores of s.
func leadingWord(s string) string {
	rest := strings.TrimLeftFunc(s, func(r rune) bool { return unicode.IsLetter(r) || r == '_' || r == '-' })
	return s[:len(s)-len(rest)]
}

func isMarker(s string) bool { return strings.HasPrefix(s, "+index") }
