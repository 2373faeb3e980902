// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package migrate

import (
	"cmp"
	"go/token"
	"os"
	"slices"
	"strings"
)

// A textEdit puts text in place of a part of a file.
type textEdit struct {
	from, to token.Pos
	newText  string
	tieOrder int // of edits at one place
}

// insertAround appends edits that put texts before and after a part of a file. Parts inside it come later.
func insertAround(edits []textEdit, from, to token.Pos, before, after string) []textEdit {
	n := len(edits) + 1
	return append(edits, textEdit{from, from, before, n}, textEdit{to, to, after, -n})
}

// editedSource returns a part of a file with edits, some of which may be outside the part.
func (p *program) editedSource(from, to token.Pos, edits []textEdit) (string, error) {
	file := p.fset.File(from)
	source, err := os.ReadFile(file.Name())
	if err != nil {
		return "", err
	}
	edits = slices.DeleteFunc(slices.Clone(edits), func(e textEdit) bool { return e.from < from || to < e.to })
	slices.SortStableFunc(edits, func(a, b textEdit) int { return cmp.Or(int(a.from-b.from), a.tieOrder-b.tieOrder) })
	var out strings.Builder
	for _, e := range append(edits, textEdit{from: to, to: to}) {
		out.Write(source[file.Offset(from):file.Offset(e.from)])
		out.WriteString(e.newText)
		from = e.to
	}
	return out.String(), nil
}
