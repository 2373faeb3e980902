// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package vet

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestOurCaches runs indexer-gen vet on reads of emitted listers, stores and informers.
func TestOurCaches(t *testing.T) {
	tool := filepath.Join(t.TempDir(), "indexer-gen")
	build := exec.Command("go", "build", "-o", tool, "./cmd/indexer-gen")
	build.Dir = "../.."
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	const file = "testdata/ours/ours.go"
	src, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	for i, line := range strings.Split(string(src), "\n") {
		if strings.HasSuffix(line, "// shared") {
			want = append(want, fmt.Sprint(i+1))
		}
	}
	var reports bytes.Buffer
	cmd := exec.Command(tool, "vet", "./testdata/ours")
	cmd.Stderr = &reports
	if err := cmd.Run(); err == nil {
		t.Fatal("nothing is reported")
	}
	var got []string
	for line := range strings.Lines(reports.String()) {
		if _, at, ok := strings.Cut(line, file+":"); ok {
			number, _, _ := strings.Cut(at, ":")
			got = append(got, number)
		}
	}
	if strings.Join(got, " ") != strings.Join(want, " ") {
		t.Errorf("writes are reported in lines %v, want %v:\n%s", got, want, reports.String())
	}
}
