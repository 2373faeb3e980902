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
		if m, ok := readGroupOrVersionMarker(c); ok && !strings.HasPrefix(c.Text[m.pos-c.Pos():], "+"+m.name+"=") {
			t.Errorf("%s of %q is said to stand at %d", m, c.Text, m.pos-c.Pos())
		}
	})
}

// TestWrongName checks that names that no API server serves are refused.
func TestWrongName(t *testing.T) {
	for _, test := range []struct {
		group bool
		name  string
		want  string
	}{
		{true, "", ""},
		{true, "core.example.com", ""},
		{true, "core", "is not the name of a group: the core group has the empty name; leave it empty"},
		{true, "Apps", "is not the name of a group; write it like example.com"},
		{false, "v1", ""},
		{false, "core", ""},
	} {
		if got := groupOrVersionError(test.group, test.name); got != test.want {
			t.Errorf("wrongName(%v, %q) = %q, want %q", test.group, test.name, got, test.want)
		}
	}
}
