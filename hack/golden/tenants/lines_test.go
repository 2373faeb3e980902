// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package tenants

import (
	"bytes"
	"os"
	"testing"
)

// TestEmittedLines limits the lines of each target.
func TestEmittedLines(t *testing.T) {
	for target, most := range map[string]int{"clientgo": 650, "controllerruntime": 735} {
		file, err := os.ReadFile("zz_generated.indexers." + target + ".go")
		if err != nil {
			t.Fatal(err)
		}
		n := bytes.Count(file, []byte("\n"))
		t.Logf("%s: %d lines", target, n)
		if n > most {
			t.Errorf("%s has %d lines for 14 indexes of 8 types, at most %d", target, n, most)
		}
		if bytes.Count(file, []byte(") Count")) < 14 {
			t.Errorf("%s does not count the objects of each index", target)
		}
	}
}
