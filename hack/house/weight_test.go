// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package house

import (
	"fmt"
	"go/scanner"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// weights are what imports take with them of this project, in lines of code without comments, blank lines and
// tests. A limit is the count and up to 3 percent. Lower it when you can. Pages that name a
// weight round its limit to thousands.
var weights = []struct {
	name    string
	imports []string
	limit   int
	way     bool // README.md and the quickstart name it too, as a way to use the project
}{
	{"a generated package with listers and informers", []string{emitted}, 8100, true},
	{"package lister", []string{runtimeMod + "/lister"}, 4000, false},
	{"a generated package, and module wire", []string{emitted, runtimeMod + "/wire"}, 13400, false},
	{"module clientgo", []string{runtimeMod + "/clientgo"}, 9200, true},
	{"module ctrlruntime", []string{runtimeMod + "/ctrlruntime"}, 15050, true},
}

const emitted = root + "/hack/golden/fleet"

func TestWeights(t *testing.T) {
	for _, w := range weights {
		packages, lines := 0, 0
		for _, p := range list(t, "hack", append([]string{"-deps"}, w.imports...)...) {
			if under(p.ImportPath, runtimeMod) {
				packages++
				lines += codeLines(t, p)
			}
		}
		t.Logf("%s: %d packages, %d lines", w.name, packages, lines)
		if lines > w.limit {
			t.Errorf("%s takes %d lines, at most %d", w.name, lines, w.limit)
		}
		about := thousands((w.limit + 500) / 1000 * 1000)
		texts := map[string]string{"docs/performance.md": fmt.Sprintf("| %s | %s |\n", w.name, about)}
		if w.way {
			texts["README.md"], texts["examples/quickstart/roads.go"] = " "+about+" ", " "+about+" "
		}
		for page, text := range texts {
			src, err := os.ReadFile(filepath.Join(repository, page))
			if err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(string(src), text) {
				t.Errorf("%s lacks %q, the lines of %s", page, text, w.name)
			}
		}
	}
}

// A program with a typed client links nothing of module wire, and no mutation detector.
func TestEmittedCodeLinks(t *testing.T) {
	for _, p := range list(t, "hack", "./golden/...") {
		for _, leaf := range []string{"/wire", "/mutation"} {
			if slices.ContainsFunc(p.Deps, func(dep string) bool { return under(dep, runtimeMod+leaf) }) {
				t.Errorf("%s links %s", p.ImportPath, leaf)
			}
		}
	}
}

func codeLines(t *testing.T, p goPackage) (n int) {
	t.Helper()
	for _, name := range p.GoFiles {
		src, err := os.ReadFile(filepath.Join(p.Dir, name))
		if err != nil {
			t.Fatal(err)
		}
		n += linesOf(src)
	}
	return n
}

// linesOf returns the number of lines with a token in them.
func linesOf(src []byte) int {
	var s scanner.Scanner
	file := token.NewFileSet().AddFile("", -1, len(src))
	s.Init(file, src, nil, 0) // without comments
	lines := map[int]bool{}
	for {
		pos, tok, text := s.Scan()
		if tok == token.EOF {
			return len(lines)
		}
		if tok == token.SEMICOLON && text == "\n" {
			continue
		}
		for i := range strings.Count(text, "\n") + 1 {
			lines[file.Line(pos)+i] = true
		}
	}
}

func TestLinesOf(t *testing.T) {
	const src = "// Package p\npackage p\n\nvar x = `a\n\nb` // raw\n/* y\n */\nfunc f() {\n}\n"
	if n := linesOf([]byte(src)); n != 6 {
		t.Errorf("%d lines", n)
	}
}

func thousands(n int) string {
	if n < 1000 {
		return fmt.Sprint(n)
	}
	return fmt.Sprintf("%d,%03d", n/1000, n%1000)
}
