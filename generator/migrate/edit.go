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

// An edit puts text in place of a part of a file.
type edit struct {
	from, to token.Pos
	text     string
	rank     int // of edits at one place, which are in this order
}

// insertAround appends edits that put texts before and after a part of a file. Parts inside it come later.
func insertAround(edits []edit, from, to token.Pos, before, after string) []edit {
	n := len(edits) + 1
	return append(edits, edit{from, from, before, n}, edit{to, to, after, -n})
}

// edited returns a part of a file with edits, some of which may be outside the part.
func (p *program) edited(from, to token.Pos, edits []edit) (string, error) {
	file := p.fset.File(from)
	source, err := os.ReadFile(file.Name())
	if err != nil {
		return "", err
	}
	edits = slices.DeleteFunc(slices.Clone(edits), func(e edit) bool { return e.from < from || to < e.to })
	slices.SortStableFunc(edits, func(a, b edit) int { return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(a.rank, b.rank)) })
	var out strings.Builder
	for _, e := range append(edits, edit{from: to, to: to}) {
		out.Write(source[file.Offset(from):file.Offset(e.from)])
		out.WriteString(e.text)
		from = e.to
	}
	return out.String(), nil
}
