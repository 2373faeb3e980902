// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package house

import (
	"bytes"
	"go/format"
	"go/parser"
	"go/token"
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

func TestFiles(t *testing.T) {
	const maxLines, maxFiles = 300, 25
	docs := map[string]bool{}     // packages, and whether they are explained
	inPackage := map[string]int{} // files without tests
	for _, name := range files(t) {
		if !strings.HasSuffix(name, ".go") || strings.Contains(name, "testdata/") {
			continue
		}
		src, err := os.ReadFile(filepath.Join(repository, name))
		if os.IsNotExist(err) {
			continue // deleted, and not yet committed
		} else if err != nil {
			t.Fatal(err)
		}
		dir, base := filepath.Split(name)
		generated := strings.HasPrefix(base, "zz_generated")
		test := strings.HasSuffix(base, "_test.go")
		if !generated &&
			!bytes.HasPrefix(
				src,
				[]byte("// Copyright The indexer-gen Authors.\n// SPDX-License-Identifier: Apache-2.0\n"),
			) {
			t.Errorf("%s: no license header", name)
		}
		if formatted, err := format.Source(src); err != nil || !bytes.Equal(formatted, src) {
			t.Errorf("%s: not as gofmt has it %v", name, err)
		}
		if lines := bytes.Count(src, []byte("\n")); lines > maxLines && !generated && !test {
			t.Errorf("%s: %d lines, at most %d: one concept a file", name, lines, maxLines)
		}
		if !test {
			inPackage[dir]++
			f, err := parser.ParseFile(
				token.NewFileSet(),
				name,
				src,
				parser.PackageClauseOnly|parser.ParseComments,
			)
			if err != nil {
				t.Fatal(err)
			}
			docs[dir] = docs[dir] || f.Doc != nil
		}
		for _, vague := range []string{"util", "common", "helper"} {
			if strings.Contains(filepath.Base(dir), vague) || strings.HasPrefix(base, vague) {
				t.Errorf("%s: a name that says nothing", name)
			}
		}
	}
	for dir, has := range docs {
		if !has {
			t.Errorf("%s has no package comment: write a doc.go", dir)
		}
	}
	for dir, n := range inPackage {
		if n > maxFiles {
			t.Errorf("%s has %d files without tests, at most %d: split the package", dir, n, maxFiles)
		}
	}
}
