// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package clientgo

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	_ "github.com/indexer-gen/indexer-gen/hack/clientgo/cache" // so that results in Go's cache depend on it
)

// timeout bounds the run of one function.
const timeout = 2 * time.Minute

// results counts functions by their result, for the table.
var results struct {
	mu     sync.Mutex
	counts map[string]int
}

func count(result string) {
	results.mu.Lock()
	defer results.mu.Unlock()
	if results.counts == nil {
		results.counts = make(map[string]int)
	}
	results.counts[result]++
}

// TestMain prints the table at the end.
func TestMain(m *testing.M) {
	code := m.Run()
	n := results.counts
	if n == nil {
		os.Exit(code)
	}
	fmt.Printf(`
client-go's functions run       %4d
  passed                        %4d
  differing by design           %4d
  failed                        %4d
skipped, with a test of ours    %4d
of client-go's own code         %4d
`, n["passed"]+n["differs"]+n["failed"], n["passed"], n["differs"], n["failed"], n["skip"], n["theirs"])
	os.Exit(code)
}

// TestFunctions runs client-go's tests over package cache.
func TestFunctions(t *testing.T) {
	l := readLists(t)
	s := copyTests(t, l)
	dir := t.TempDir()
	s.leaveOut(t, dir, func(name string) bool {
		return l.isLeftOut(name) || strings.HasPrefix(name, "Benchmark")
	})
	binary, errors := compile(t, dir)
	if errors != nil {
		t.Fatalf("client-go's tests do not compile with package cache:\n%s", errors)
	}
	for _, name := range s.selected() {
		kind := l.functions[name].kind
		if l.isLeftOut(name) {
			count(kind)
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			out, passed := runFunction(t.Context(), binary, name)
			switch {
			case kind == "differs" && passed:
				count("failed")
				t.Errorf("%s passes, but functions.txt says that it differs", name)
			case kind == "differs":
				count("differs")
			case !passed:
				count("failed")
				t.Errorf("%s fails:\n%s", name, out)
			default:
				count("passed")
			}
		})
	}
}

// runFunction runs one function and reports whether it passed.
func runFunction(ctx context.Context, binary, name string) (out []byte, passed bool) {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	cmd := exec.CommandContext(ctx, binary, "-test.v", "-test.run=^"+name+"$")
	cmd.Dir = filepath.Dir(binary)
	out, err := cmd.CombinedOutput()
	return out, err == nil && bytes.Contains(out, []byte("--- PASS: "+name+" "))
}

var testName = regexp.MustCompile(`^(Test|Example)[^.]*$`)

// selected returns the names of all test functions and examples, in order.
func (s *tests) selected() (names []string) {
	for _, file := range slices.Sorted(maps.Keys(s.functions)) {
		for _, name := range s.functions[file] {
			if testName.MatchString(name) && name != "TestMain" {
				names = append(names, name)
			}
		}
	}
	return names
}

// TestSkipped checks that the functions that are left out exist and cannot be compiled.
func TestSkipped(t *testing.T) {
	l := readLists(t)
	s := copyTests(t, l)
	dir := t.TempDir()
	s.leaveOut(t, dir, func(string) bool { return false })
	_, errors := compile(t, dir)
	exist := slices.Concat(slices.Collect(maps.Values(s.functions))...)
	broken := s.broken(t, errors)
	for name, e := range l.functions {
		switch {
		case !slices.Contains(exist, name):
			t.Errorf("client-go has no function %s in the files of functions.txt", name)
		case (e.kind == "skip" || e.kind == "own") && !broken[name]:
			t.Errorf("%s compiles: it need not be left out", name)
		}
	}
}
