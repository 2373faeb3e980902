// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// parsed returns two mutants of a file; the first one survives. That of a constant does not count.
func parsed(t *testing.T) []mutant {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a.go"), []byte("package p\nfunc f() {\n\tif a < b {\n\t\ti++\n\t}\n}\nconst c = 1 + 1\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	mutants, err := parseResult([]byte(`{"files":[{"file_name":"a.go","mutations":[
		{"type":"CONDITIONALS_BOUNDARY","status":"LIVED","line":3,"column":7},
		{"type":"ARITHMETIC_BASE","status":"NOT COVERED","line":7,"column":13},
		{"type":"INCREMENT_DECREMENT","status":"TIMED OUT","line":4,"column":4}]}]}`), dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(mutants) != 2 {
		t.Fatalf("%d mutants", len(mutants))
	}
	return mutants
}

func TestSurvivorMustBeListed(t *testing.T) {
	var out strings.Builder
	if report(&out, "p", parsed(t), nil) {
		t.Error("a survivor that is not listed passed")
	}
	want := "p | a.go | CONDITIONALS_BOUNDARY | 6 | if a < b {"
	if !strings.Contains(out.String(), "not listed: "+want) {
		t.Errorf("the report does not name the survivor:\n%s", out.String())
	}
	known, err := parseSurvivors(want + " | equivalent")
	if err != nil {
		t.Fatal(err)
	}
	out.Reset()
	mutants := parsed(t)
	for range 20 {
		mutants = append(mutants, mutant{killed: true})
	}
	if !report(&out, "p", mutants, known["p"]) {
		t.Errorf("a listed survivor failed:\n%s", out.String())
	}
}

func TestPackageWithManySurvivorsFails(t *testing.T) {
	known, err := parseSurvivors("p | a.go | CONDITIONALS_BOUNDARY | 6 | if a < b { | equivalent")
	if err != nil {
		t.Fatal(err)
	}
	if report(new(strings.Builder), "p", parsed(t), known["p"]) {
		t.Error("a package with half of its mutants killed passed")
	}
}

func TestOutdatedSurvivorIsNamed(t *testing.T) {
	known, err := parseSurvivors("# comment\n\np | a.go | INVERT_BITWISE | 2 | a | b | only speed")
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	report(&out, "p", parsed(t), known["p"])
	if want := "no longer survives: p | a.go | INVERT_BITWISE | 2 | a | b"; !strings.Contains(out.String(), want) {
		t.Errorf("report lacks %q:\n%s", want, out.String())
	}
}

func TestSurvivorNeedsReason(t *testing.T) {
	for _, line := range []string{"p | a.go | K | 1 | x", "p | a.go | K | 1 | x | ", "p | a.go | K | one | x | r"} {
		if _, err := parseSurvivors(line); err == nil {
			t.Errorf("no error for %q", line)
		}
	}
}

// A renamed identifier changes source lines, and the lines of survivors.txt follow.
func TestSurvivorsStandInTheSource(t *testing.T) {
	text, err := os.ReadFile("survivors.txt")
	if err != nil {
		t.Fatal(err)
	}
	known, err := parseSurvivors(string(text))
	if err != nil {
		t.Fatal(err)
	}
	for dir, survivors := range known {
		for s := range survivors {
			src, err := os.ReadFile(filepath.Join("../..", dir, s.file))
			if err != nil || !strings.Contains(string(src), s.source) {
				t.Errorf("the source has no line of %s: %v", s.line(dir), err)
			}
		}
	}
}
