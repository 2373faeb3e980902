// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// block is a code block of a page.
type block struct {
	page     string // relative to the repository
	line     int    // of the first line of code
	language string
	from     string // the file that must contain the block, if one is named
	code     string
}

// repository returns the directory of the repository.
func repository(t *testing.T) string {
	t.Helper()
	dir, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// pages returns the pages that are tested, relative to the repository.
func pages(t *testing.T) []string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(repository(t), "docs", "*.md"))
	if err != nil || len(found) < 5 {
		t.Fatalf("docs has %d pages, %v", len(found), err)
	}
	all := []string{"README.md", "CONTRIBUTING.md"}
	for _, page := range found {
		all = append(all, filepath.Join("docs", filepath.Base(page)))
	}
	return all
}

// blocks returns the code blocks of a page in one language, in order.
func blocks(t *testing.T, page, language string) (found []block) {
	t.Helper()
	var open *block
	from := ""
	for i, line := range strings.Split(read(t, filepath.Join(repository(t), page)), "\n") {
		switch {
		case open != nil && line == "```":
			if open.language == language {
				found = append(found, *open)
			}
			open, from = nil, ""
		case open != nil:
			open.code += line + "\n"
		case strings.HasPrefix(line, "```"):
			open = &block{page: page, line: i + 2, language: line[3:], from: from}
		case strings.HasPrefix(line, "<!-- from "):
			from = strings.TrimSuffix(strings.TrimPrefix(line, "<!-- from "), " -->")
		}
	}
	if open != nil {
		t.Errorf("%s:%d: the code block does not end", page, open.line)
	}
	return found
}

// command runs a command in dir without the repository's go.work, and returns its output.
func command(t *testing.T, dir string, env []string, name string, args ...string) string {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	cmd.Env = append(append(os.Environ(), "GOWORK=off", "GOFLAGS=-buildvcs=false"), env...)
	begin := time.Now()
	out, err := cmd.CombinedOutput()
	t.Logf("%.1fs %s %s", time.Since(begin).Seconds(), name, strings.Join(args, " "))
	if err != nil {
		t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
	}
	return string(out)
}

func write(t *testing.T, path, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o666); err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}
