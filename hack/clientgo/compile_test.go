// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package clientgo

import (
	"encoding/json"
	"go/ast"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// compile compiles package cache with the tests in dir, and returns the test binary or the errors.
func compile(t *testing.T, dir string) (binary string, errors []byte) {
	t.Helper()
	scratch := t.TempDir()
	overlay := struct{ Replace map[string]string }{make(map[string]string)}
	files, err := filepath.Glob(filepath.Join(dir, "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	here, err := filepath.Abs("cache")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		overlay.Replace[filepath.Join(here, filepath.Base(file))] = file
	}
	text, err := json.Marshal(overlay)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(scratch, "overlay.json"), text, 0o600); err != nil {
		t.Fatal(err)
	}
	writeModule(t, scratch)
	binary = filepath.Join(scratch, "cache.test")
	cmd := exec.Command("go", "test", "-c", "-o", binary, "-gcflags=-e", "-mod=mod",
		"-modfile="+filepath.Join(scratch, "go.mod"), "-overlay="+filepath.Join(scratch, "overlay.json"),
		"./clientgo/cache")
	cmd.Dir = ".."
	cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=")
	out, err := cmd.CombinedOutput()
	if err != nil && len(out) == 0 {
		t.Fatal(err)
	}
	if err == nil {
		return binary, nil
	}
	return "", out
}

// writeModule writes hack's go.mod to dir, with a go.sum that has client-go's as well: its tests import
// modules that hack does not need.
func writeModule(t *testing.T, dir string) {
	t.Helper()
	upstream := clientGo(t)
	var sum []byte
	for _, file := range []string{filepath.Join("..", "go.sum"), filepath.Join(upstream, "go.sum")} {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		sum = append(sum, text...)
	}
	lines := strings.SplitAfter(string(sum), "\n")
	slices.Sort(lines)
	sum = []byte(strings.Join(slices.Compact(lines), ""))
	mod, err := os.ReadFile(filepath.Join("..", "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string][]byte{"go.mod": mod, "go.sum": sum} {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

var position = regexp.MustCompile(`(\w+_test\.go):(\d+):\d+: `)

// broken returns the names of the functions in which the compiler found errors.
func (s *tests) broken(t *testing.T, errors []byte) map[string]bool {
	t.Helper()
	lines := make(map[string][]int)
	for _, found := range position.FindAllSubmatch(errors, -1) {
		line, _ := strconv.Atoi(string(found[2]))
		lines[string(found[1])] = append(lines[string(found[1])], line)
	}
	broken := make(map[string]bool)
	for file := range s.functions {
		text, err := os.ReadFile(filepath.Join(s.dir, file))
		if err != nil {
			t.Fatal(err)
		}
		fset, parsed := parse(t, file, text)
		for _, decl := range parsed.Decls {
			f, ok := decl.(*ast.FuncDecl)
			from, to := fset.Position(decl.Pos()).Line, fset.Position(decl.End()).Line
			if ok && slices.ContainsFunc(lines[file], func(line int) bool { return from <= line && line <= to }) {
				broken[nameOf(f)] = true
			}
		}
	}
	return broken
}
