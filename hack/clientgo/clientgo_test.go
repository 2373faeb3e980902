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

// timeout bounds the run of one function, which then prints its goroutines.
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
  passed, cases differ          %4d
  differing by design           %4d
  failed                        %4d
skipped, with a test of ours    %4d
of client-go's own code         %4d
`, n["passed"]+n["in part"]+n["differs"]+n["failed"],
		n["passed"], n["in part"], n["differs"], n["failed"], n["skip"], n["theirs"])
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
			result := "failed"
			defer func() { count(result) }()
			if kind == "differs" {
				if _, passed := runFunction(t.Context(), binary, name, nil, false); passed {
					t.Fatalf("%s passes, but functions.txt says that it differs", name)
				}
				result = "differs"
				return
			}
			cases := l.cases(name)
			for _, name := range cases {
				out, passed := runFunction(t.Context(), binary, name, nil, false)
				if passed || !bytes.Contains(out, []byte("--- FAIL: "+name+" ")) {
					t.Fatalf("functions.txt says that %s differs, but it passes or does not exist:\n%s", name, out)
				}
			}
			out, passed := runFunction(t.Context(), binary, name, cases, true)
			switch {
			case !passed:
				t.Fatalf("%s fails:\n%s", name, out)
			case len(cases) > 0:
				result = "in part"
			default:
				result = "passed"
			}
		})
	}
}

// runFunction runs one function or case without those to skip, and reports whether it passed. If the result
// is not the wanted one, it runs it once more: the tests measure real time, which is short on a busy machine.
func runFunction(
	ctx context.Context, binary, name string, skip []string, want bool,
) (out []byte, passed bool) {
	patterns := make([]string, len(skip))
	for i, name := range skip {
		patterns[i] = pattern(name)
	}
	for range 2 {
		cmd := exec.CommandContext(ctx, binary, "-test.v", "-test.timeout="+timeout.String(),
			"-test.run="+pattern(name), "-test.skip="+strings.Join(patterns, "|"))
		cmd.Dir = filepath.Dir(binary)
		var err error
		out, err = cmd.CombinedOutput()
		passed = err == nil && bytes.Contains(out, []byte("--- PASS: "+name+" "))
		if passed == want {
			break
		}
	}
	return out, passed
}

// pattern matches name, and each part of a case on its own.
func pattern(name string) string {
	parts := strings.Split(name, "/")
	for i, part := range parts {
		parts[i] = "^" + regexp.QuoteMeta(part) + "$"
	}
	return strings.Join(parts, "/")
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
		case strings.Contains(name, "/"): // TestFunctions finds out
		case !slices.Contains(exist, name):
			t.Errorf("client-go has no function %s in the files of functions.txt", name)
		case (e.kind == "skip" || e.kind == "own") && !broken[name]:
			t.Errorf("%s compiles: it need not be left out", name)
		}
	}
}
