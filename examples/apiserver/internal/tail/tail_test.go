// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package tail_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/indexer-gen/indexer-gen/examples/apiserver/internal/tail"
)

func TestWriter(t *testing.T) {
	var all bytes.Buffer
	for _, end := range []*tail.Writer{{}, {Next: &all}} {
		for range tail.Size {
			if n, err := end.Write([]byte("abc")); n != 3 || err != nil {
				t.Fatal(n, err)
			}
		}
		if got := end.String(); len(got) != tail.Size || !strings.HasSuffix(got, "abcabc") {
			t.Errorf("remembers %d bytes, %q", len(got), got)
		}
	}
	if all.Len() != 3*tail.Size {
		t.Errorf("passed on %d bytes", all.Len())
	}
}

func TestLastLine(t *testing.T) {
	for wrote, want := range map[string]string{
		"":                        "",
		"one\ntwo\n":              `; it last wrote "two"`,
		"one\ntwo":                `; it last wrote "two"`,
		strings.Repeat("x", 1000): `; it last wrote "` + strings.Repeat("x", 300) + `…"`,
	} {
		w := &tail.Writer{}
		if _, err := w.Write([]byte(wrote)); err != nil {
			t.Fatal(err)
		}
		if got := w.Last(); got != want {
			t.Errorf("%q: %q, want %q", wrote, got, want)
		}
	}
}
