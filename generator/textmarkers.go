// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package generator

import (
	"go/ast"
	"go/token"
	"regexp"
	"strings"
)

// lastWord is a marker without space, as the last word of a line.
var lastWord = regexp.MustCompile("(?:^|[\\s\"'`])(\\+(?:index(?::[^\\s`]*[^\\s`.,;!?)\"'])?|" + selectable + ":[^\\s`]*[^\\s`.,;!?)\"']))[\"'`]?$")

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
func attachable(file *ast.File, anchors []anchor, i int) bool {
	node, problem := attach(file, anchors, i)
	return node != nil || problem == atLineEnd
}
