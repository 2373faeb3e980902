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

// TestWeights limits what each import takes with it of this project: packages, and lines of code without
// comments, blank lines and tests. The table of docs/performance.md has the limits, and so have README.md and
// the quickstart. Lower them when you can.
func TestWeights(t *testing.T) {
	read := func(path ...string) string {
		page, err := os.ReadFile(filepath.Join(append([]string{repository}, path...)...))
		if err != nil {
			t.Fatal(err)
		}
		return string(page)
	}
	page := read("docs", "performance.md")
	ways := map[string]string{"README.md": read("README.md"), "roads.go": read("examples", "quickstart", "roads.go")}
	emitted, wire := root+"/hack/golden/fleet", runtimeMod+"/wire"
	for _, taken := range []struct {
		name            string
		of              []string
		packages, lines int
		way             bool // one of the ways to use the project
	}{
		{"a generated package with listers and informers", []string{emitted}, 27, 8800, true},
		{"package lister", []string{runtimeMod + "/lister"}, 14, 4025, false},
		{"a generated package, and module wire", []string{emitted, wire}, 37, 14100, false},
		{"module clientgo", []string{runtimeMod + "/clientgo"}, 28, 10075, true},
		{"module ctrlruntime", []string{runtimeMod + "/ctrlruntime"}, 44, 17825, true},
	} {
		packages, lines := 0, 0
		for _, p := range list(t, "hack", append([]string{"-deps"}, taken.of...)...) {
			if under(p.ImportPath, runtimeMod) {
				packages++
				lines += codeLines(t, p)
			}
		}
		t.Logf("%s: %d packages, %d lines", taken.name, packages, lines)
		if packages > taken.packages || lines > taken.lines {
			t.Errorf("%s takes %d packages and %d lines, at most %d and %d",
				taken.name, packages, lines, taken.packages, taken.lines)
		}
		row := fmt.Sprintf("| %s | %d | %s |\n", taken.name, taken.packages, thousands(taken.lines))
		if !strings.Contains(page, row) {
			t.Errorf("docs/performance.md lacks the row %s", row)
		}
		for name, text := range ways {
			if taken.way && !strings.Contains(text, thousands(taken.lines)) {
				t.Errorf("%s lacks the %s lines of %s", name, thousands(taken.lines), taken.name)
			}
		}
	}
}

// A program with a typed client links nothing of module wire.
func TestEmittedCodeHasNoWire(t *testing.T) {
	for _, p := range list(t, "hack", "./golden/...") {
		if slices.ContainsFunc(p.Deps, func(dep string) bool { return under(dep, runtimeMod+"/wire") }) {
			t.Errorf("%s links module wire", p.ImportPath)
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
