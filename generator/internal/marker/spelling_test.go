// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package marker

import (
	"cmp"
	"fmt"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

// TestSpelling parses the markers of the sources in testdata/spelling. The errors follow each
// source. UPDATE=1 rewrites them.
func TestSpelling(t *testing.T) { compareTables(t, "testdata/spelling", misspelled) }

// compareTables compares the results of list for the sources in a directory with the files that
// follow them.
func compareTables(t *testing.T, dir string, list func(*testing.T, txtar.File) string) {
	names, err := filepath.Glob(dir + "/*.txtar")
	if err != nil || len(names) == 0 {
		t.Fatalf("no tables: %v", err)
	}
	for _, name := range names {
		table, err := txtar.ParseFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for i := 0; i+1 < len(table.Files); i += 2 {
			source, want := table.Files[i], &table.Files[i+1]
			got := list(t, source)
			if got == string(want.Data) {
				continue
			}
			if os.Getenv("UPDATE") == "" {
				t.Errorf("%s: %s\ngot\n%swant\n%s", name, source.Name, got, want.Data)
			}
			want.Data = []byte(got)
		}
		if os.Getenv("UPDATE") != "" {
			if err := os.WriteFile(name, txtar.Format(table), 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// misspelled lists the errors in the text and position of the markers in a source.
func misspelled(t *testing.T, source txtar.File) string {
	t.Helper()
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, source.Name, source.Data, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	type finding struct {
		pos     token.Pos
		message string
	}
	var found []finding
	for _, m := range Comments(fset, file) {
		switch {
		case m.Problem != "":
			found = append(found, finding{m.Pos, m.Problem})
		case !m.Kube:
			_, _, bad := m.Parse()
			for _, e := range bad {
				found = append(found, finding{m.Pos + token.Pos(e.Offset), e.Message})
			}
		}
	}
	slices.SortStableFunc(found, func(a, b finding) int { return cmp.Compare(a.pos, b.pos) })
	var out strings.Builder
	for _, f := range found {
		at := fset.Position(f.pos)
		fmt.Fprintf(&out, "%d:%d: %s\n", at.Line, at.Column, f.message)
	}
	return out.String()
}
