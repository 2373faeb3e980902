// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"flag"
	"fmt"
	"go/format"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/indexer-gen/indexer-gen/generator"
)

var (
	randomPackages = flag.Int("random.packages", 10, "how many packages of made-up types to generate for")
	randomSeed     = flag.Uint64("random.seed", 1, "the seed of the first of them")
)

// TestRandomTypes generates code for random types with random markers. Each wrong marker
// must be reported at its position. Without the wrong markers, all packages must be written
// and compile. -random.packages and -random.seed try more of them.
func TestRandomTypes(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds the packages")
	}
	dir := scratch(t)
	for i := range *randomPackages {
		name := fmt.Sprintf("p%d", i)
		source, err := format.Source([]byte(packageOf(name, rand.New(rand.NewPCG(*randomSeed+uint64(i), 0)))))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		put(t, filepath.Join(dir, name, "types.go"), string(source))
	}
	cfg := generator.Config{Dir: dir, Patterns: []string{"./..."}, All: true}
	removed, rounds, indexes := 0, 0, 0
	for ; ; rounds++ {
		result, err := generator.Run(t.Context(), cfg)
		var told generator.Diagnostics
		if err == nil {
			for _, f := range result.Files {
				indexes += f.Indexes
			}
			break
		}
		if !errors.As(err, &told) {
			t.Fatalf("Run() = %v", err)
		}
		for _, d := range told {
			removed++
			if d.Pos.Filename == "" || d.Pos.Line == 0 || d.Pos.Column == 0 {
				t.Fatalf("without a place: %s", d.Message)
			}
			if strings.Contains(d.Message, "fault of indexer-gen") {
				t.Fatalf("%v\n%s", d, sourceOf(t, dir, d))
			}
			if !unmark(t, filepath.Join(dir, d.Pos.Filename), d.Pos.Line) {
				t.Fatalf("not at a marker: %v\n%s", d, sourceOf(t, dir, d))
			}
		}
	}
	if *randomPackages > 5 && (removed == 0 || indexes < *randomPackages) {
		t.Errorf("%d markers were wrong, and %d indexes written: nothing much was tried", removed, indexes)
	}
	build := exec.Command("go", "vet", "-structtag=false", "./...")
	build.Dir = dir
	if out, err := build.CombinedOutput(); err != nil {
		t.Errorf("go vet: %v\n%s", err, out)
	}
	t.Logf("%d markers were wrong, told in %d rounds; %d indexes", removed, rounds, indexes)
}

// scratch makes a module that requires the runtime of this repository.
func scratch(t *testing.T) (dir string) {
	t.Helper()
	runtime, err := filepath.Abs("../../runtime")
	if err != nil {
		t.Fatal(err)
	}
	sum, err := os.ReadFile(filepath.Join(runtime, "go.sum"))
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("GOWORK", "off")
	t.Setenv("GOFLAGS", "-mod=mod")
	dir = t.TempDir()
	put(t, filepath.Join(dir, "go.mod"), scratchModule(t, runtime))
	put(t, filepath.Join(dir, "go.sum"), string(sum))
	return dir
}

func put(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// unmark takes the marker out of a line, and reports whether there is one.
func unmark(t *testing.T, name string, n int) bool {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(text), "\n")
	before, _, found := strings.Cut(lines[n-1], "// +")
	if !found {
		return strings.HasSuffix(lines[n-1], "// unmarked")
	}
	lines[n-1] = before + "// unmarked"
	put(t, name, strings.Join(lines, "\n"))
	return true
}

func sourceOf(t *testing.T, dir string, d generator.Diagnostic) string {
	text, err := os.ReadFile(filepath.Join(dir, d.Pos.Filename))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
