// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package house

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// files returns the repository's files, tracked or new, that git does not ignore.
func files(t *testing.T) []string {
	t.Helper()
	cmd := exec.Command("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
	cmd.Dir = repository
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("git ls-files: %v", err)
	}
	return strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00")
}

// No name says nothing. hack/lint.sh checks what else each file must have.
func TestFiles(t *testing.T) {
	for _, name := range files(t) {
		if !strings.HasSuffix(name, ".go") || strings.Contains(name, "testdata/") {
			continue
		}
		if _, err := os.Stat(filepath.Join(repository, name)); os.IsNotExist(err) {
			continue // deleted, and not yet committed
		}
		dir, base := filepath.Split(name)
		for _, vague := range []string{"util", "common", "helper"} {
			if strings.Contains(filepath.Base(dir), vague) || strings.HasPrefix(base, vague) {
				t.Errorf("%s: a name that says nothing", name)
			}
		}
	}
}
