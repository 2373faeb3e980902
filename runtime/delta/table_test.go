// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package delta_test

import (
	"os"
	"strings"
	"testing"

	"github.com/indexer-gen/indexer-gen/runtime/delta"
)

// The table of the package documentation says what In reports.
func TestTable(t *testing.T) {
	doc, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	_, text, found := strings.Cut(string(doc), "has         ")
	if !found {
		t.Fatal("doc.go has no table")
	}
	lines := strings.Split(text, "\n")
	const before = len("Added       object      ") // of the columns
	places := []struct {
		name  string
		place delta.Place
	}{{"List", delta.List}, {"Watch", delta.Watch}, {"Sink", delta.Sink}, {"Apply", delta.Apply}}
	typ := delta.Type(0)
	for _, row := range lines[1:] {
		row, isRow := strings.CutPrefix(row, "//\t")
		if !isRow {
			break
		}
		typ++
		if name := strings.Fields(row)[0]; name != typ.String() {
			t.Errorf("row %d is of %s, want %v", typ, name, typ)
		}
		for _, p := range places {
			at := before + strings.Index(lines[0], p.name)
			if has := at < len(row) && row[at] == 'x'; has != typ.In(p.place) {
				t.Errorf("%v, %s: the table has %v, In reports %v", typ, p.name, has, typ.In(p.place))
			}
		}
	}
	if typ != delta.InitialEnd {
		t.Errorf("the table has %d types, want %d", typ, delta.InitialEnd)
	}
	for _, unknown := range []delta.Type{0, delta.InitialEnd + 1, 255} {
		if unknown.In(^delta.Place(0)) {
			t.Errorf("%v passes a place", unknown)
		}
	}
}
