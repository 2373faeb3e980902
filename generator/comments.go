// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package generator

import (
	"go/ast"
	"go/token"
	"slices"
	"strings"
	"unicode"
)

// markerComment is a comment that is, or was meant to be, one of our markers.
type markerComment struct {
	text    string    // from the + on
	pos     token.Pos // of the +
	node    ast.Node  // the *ast.TypeSpec, *ast.Field or *ast.FuncDecl that it stands on; nil if problem is set
	problem string    // why it cannot count
	kube    bool      // it is kubebuilder's that makes an index, which controller-tools reads
}

// on returns what kind of thing the marker stands on.
func (m markerComment) on() target {
	switch m.node.(type) {
	case *ast.Field:
		return onField
	case *ast.FuncDecl:
		return onFunc
	}
	return onType
}

// parse returns the definition and options of the marker, and all that is wrong with its
// text.
func (m markerComment) parse() (def *definition, options givenOptions, bad []markerError) {
	def, options, bad = parseMarker(m.text, m.on())
	if len(bad) == 0 {
		return def, options, def.together(options, m.on())
	}
	name := options.word("name")
	why := notIndexName(name.text)
	reported := slices.ContainsFunc(bad, func(e markerError) bool { return e.offset == name.offset })
	if name.text != "" && why != "" && !reported {
		bad = append(bad, markerError{name.offset, why})
	}
	return def, options, bad
}

// markerComments finds every comment of a file that begins with +index, and those
// that nearly do.
//
// As kubebuilder has it, a marker counts if it is in the doc comment of a type or
// field, or in the comment right above that one. Everywhere else it is a problem.
func markerComments(fset *token.FileSet, file *ast.File) []markerComment {
	var out []markerComment
	anchors := anchorsOf(file)
	for i, group := range file.Comments {
		for _, c := range group.List {
			text, pos, problem := markerText(c)
			if text == "" {
				if text, pos, problem = inProse(c); text == "" || !attachable(file, anchors, i) {
					continue
				}
			}
			m := markerComment{text: text, pos: pos, problem: problem}
			if problem == "" {
				m.node, m.problem = attach(file, anchors, i)
				if trailing(fset, file, group.Pos()) {
					m.node, m.problem = nil, atLineEnd
				}
			}
			if m.kube = isSelectable(text); m.kube && problem == "" {
				if _, onType := m.node.(*ast.TypeSpec); !onType {
					m.node, m.problem = nil, "+"+selectable+" is for a type, with the path of the field: write it right above the root type"
				}
			}
			out = append(out, m)
		}
	}
	return out
}

// markerText returns the marker in a comment, or "". A problem says why a comment
// that has one does not count.
func markerText(c *ast.Comment) (text string, pos token.Pos, problem string) {
	body := c.Text[2:]
	if strings.HasPrefix(c.Text, "/*") {
		for off, line := range lines(strings.TrimSuffix(body, "*/")) {
			trimmed := strings.TrimLeft(line, " \t*")
			if isMarker(trimmed) || isSelectable(trimmed) {
				at := 2 + off + len(line) - len(trimmed)
				return trimmed, c.Pos() + token.Pos(at), "a marker in a /* */ comment does not count; write it as a // comment of its own line"
			}
		}
		return "", 0, ""
	}
	trimmed := strings.TrimSpace(body)
	pos = c.Pos() + token.Pos(2+strings.Index(body, trimmed))
	if isMarker(trimmed) || isSelectable(trimmed) {
		return trimmed, pos, unread(trimmed)
	}
	if seen := visible(trimmed); seen != trimmed && (isMarker(seen) || isSelectable(seen)) {
		return trimmed, pos, "the marker begins with a character that only looks like a +, or like nothing; write " + seen
	}
	if rest, ok := strings.CutPrefix(trimmed, "+"); ok {
		rest = strings.TrimLeft(rest, "+")
		head := leadingWord(rest)
		spaced := strings.TrimSpace(rest)
		lower := strings.ToLower(head)
		switch {
		case rest != trimmed[1:] && (isMarker("+"+rest) || isSelectable("+"+rest)):
			return trimmed, pos, "a marker has one +; write +" + rest
		case strings.HasPrefix(rest, "kubebuilder:"):
			if problem := nearlyKubebuilder(rest); problem != "" {
				return trimmed, pos, problem
			}
		case strings.HasPrefix(rest, "k8s:") && nearlyIndex(leadingWord(rest[len("k8s:"):])):
			rest = rest[len("k8s:"):]
			head = leadingWord(rest)
			return trimmed, pos, "unknown marker +k8s:" + head + meantIndex(rest[len(head):])
		case rest != spaced && (isMarker("+"+spaced) || isSelectable("+"+spaced)):
			return trimmed, pos, "a marker has no space after the +; write +" + spaced
		case nearlyIndex(lower), len(head) > 3 && distance(lower, "index") == 1:
			return trimmed, pos, "unknown marker +" + head + meantIndex(rest[len(head):])
		}
	}
	return "", 0, ""
}

// leadingWord returns the letters that a text begins with, and dashes among them.
func leadingWord(s string) string {
	if i := strings.IndexFunc(s, func(r rune) bool { return !unicode.IsLetter(r) && r != '_' && r != '-' }); i >= 0 {
		return s[:i]
	}
	return s
}

func isMarker(s string) bool { return strings.HasPrefix(s, "+index") }

func lines(s string) func(yield func(int, string) bool) {
	return func(yield func(int, string) bool) {
		off := 0
		for line := range strings.SplitAfterSeq(s, "\n") {
			if !yield(off, strings.TrimRight(line, "\r\n ")) {
				return
			}
			off += len(line)
		}
	}
}
