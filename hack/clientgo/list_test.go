// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package clientgo

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// repository is the directory of the repository, from this package's.
var repository = filepath.Join("..", "..")

// entry is what functions.txt says of a function.
type entry struct {
	kind string // skip, differs, theirs or own
	why  string // a directory and a test, or a page and a heading
}

// lists is functions.txt.
type lists struct {
	files     []string         // of tests, which run
	functions map[string]entry // by name
}

func readLists(t *testing.T) lists {
	t.Helper()
	text, err := os.ReadFile("functions.txt")
	if err != nil {
		t.Fatal(err)
	}
	l := lists{functions: make(map[string]entry)}
	for line := range strings.Lines(string(text)) {
		words := strings.Fields(line)
		if len(words) == 0 || words[0] == "#" {
			continue
		}
		kind, rest := words[0], len(words)-2
		switch {
		case kind == "file" && rest == 0:
			l.files = append(l.files, words[1])
		case (kind == "own" || kind == "theirs") && rest == 0, (kind == "skip" || kind == "differs") && rest > 0:
			if _, twice := l.functions[words[1]]; twice {
				t.Errorf("functions.txt lists %s twice", words[1])
			}
			l.functions[words[1]] = entry{kind, strings.Join(words[2:], " ")}
		default:
			t.Errorf("functions.txt: cannot read %q", line)
		}
	}
	return l
}

// isLeftOut reports whether a function is not compiled.
func (l lists) isLeftOut(name string) bool {
	kind := l.functions[name].kind
	return kind == "skip" || kind == "own" || kind == "theirs"
}

// cases returns the names of the cases of a function that differ.
func (l lists) cases(function string) (names []string) {
	for name := range l.functions {
		if strings.HasPrefix(name, function+"/") {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// TestLists checks that the tests and headings exist that functions.txt names.
func TestLists(t *testing.T) {
	for name, e := range readLists(t).functions {
		switch e.kind {
		case "skip":
			dir, test, _ := strings.Cut(e.why, " ")
			if !declares(t, dir, test) {
				t.Errorf("%s: there is no %s in %s", name, test, dir)
			}
		case "differs":
			page, heading, _ := strings.Cut(e.why, " ")
			if !hasHeading(t, page, heading) {
				t.Errorf("%s: %s has no heading %q", name, page, heading)
			}
		}
	}
}

// declares reports whether a test file in dir declares the test.
func declares(t *testing.T, dir, test string) bool {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(repository, dir, "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Contains(text, []byte("\nfunc "+test+"(t *testing.T) {\n")) {
			return true
		}
	}
	return false
}

// hasHeading reports whether a page of Markdown or a doc.go has the heading.
func hasHeading(t *testing.T, page, heading string) bool {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(repository, page))
	if err != nil {
		t.Error(err)
		return false
	}
	return regexp.MustCompile(`(?m)^(// )?#+ ` + regexp.QuoteMeta(heading) + `$`).Match(text)
}
