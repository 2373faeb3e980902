// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package served

import (
	"go/ast"
	"strings"
	"testing"
)

// FuzzGroupMarkers checks that the position of a group marker is that of its +.
func FuzzGroupMarkers(f *testing.F) {
	for _, s := range []string{"// +groupName=\"g\"", "// x +groupName=g", "//+versionName=`v1`", "/* +groupName=g */", "// + groupName = g"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) < 2 {
			return
		}
		c := &ast.Comment{Slash: 1, Text: text}
		if m, ok := readGroupMarker(c); ok && !strings.HasPrefix(c.Text[m.pos-c.Pos():], "+"+m.name+"=") {
			t.Errorf("%s of %q is said to stand at %d", m, c.Text, m.pos-c.Pos())
		}
	})
}
