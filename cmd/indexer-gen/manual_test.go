// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// manual is the text of doc.go.
func manual(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// section returns the text under a heading of the manual.
func section(t *testing.T, heading string) string {
	t.Helper()
	_, after, found := strings.Cut(manual(t), "\n// # "+heading+"\n")
	if !found {
		t.Fatalf("the manual has no section %s", heading)
	}
	text, _, _ := strings.Cut(after, "\n// # ")
	return text
}

// members lists the first words of the lines in a section's tables, once each.
func members(text string) []string {
	var out []string
	for _, m := range regexp.MustCompile(`(?m)^//\t(\w+) `).FindAllStringSubmatch(text, -1) {
		out = append(out, m[1])
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// The manual describes exactly the members that -json prints.
func TestManualOfJSON(t *testing.T) {
	var want []string
	for _, v := range []any{jsonError{}, jsonFile{}} {
		for i := range reflect.TypeOf(v).NumField() {
			name, _, _ := strings.Cut(reflect.TypeOf(v).Field(i).Tag.Get("json"), ",")
			want = append(want, name)
		}
	}
	slices.Sort(want)
	if got := members(section(t, "JSON")); !slices.Equal(got, slices.Compact(want)) {
		t.Errorf("the manual describes %v, -json prints %v", got, want)
	}
}

// The manual has the flags and markers that -help prints. Set UPDATE to write them.
func TestManualHasTheHelp(t *testing.T) {
	var help bytes.Buffer
	if code := runCommand(t.Context(), []string{"-help"}, &help, &help); code != exitOK {
		t.Fatalf("-help exits with %d", code)
	}
	text := manual(t)
	for _, heading := range []string{"Flags", "Markers"} {
		_, block, found := strings.Cut(help.String(), "\n"+heading+":\n")
		if !found {
			t.Fatalf("the help has no %s:\n%s", heading, help.String())
		}
		block, _, _ = strings.Cut(block, "\n\n")
		block = strings.TrimRight(strings.ReplaceAll("\n"+block, "\t", "    "), "\n")
		want := strings.TrimPrefix(strings.ReplaceAll(block, "\n  ", "\n//\t"), "\n")
		got := regexp.MustCompile(`(?m)(^//\t.*\n?)+`).FindString(section(t, heading))
		if got = strings.TrimRight(got, "\n"); got != want {
			t.Errorf("%s in the manual:\n%s\nin the help:\n%s", heading, got, want)
			text = strings.Replace(text, got, want, 1)
		}
	}
	if os.Getenv("UPDATE") != "" {
		if err := os.WriteFile("doc.go", []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// The help lists markers and options with the declarations that they stand on.
func TestHelpListsMarkers(t *testing.T) {
	var help bytes.Buffer
	runCommand(t.Context(), []string{"-help"}, &help, &help)
	for _, part := range []string{
		"\n  +index:ref ", "\n    namespacePath=.spec.field ", "(on a type, an alias or a field)\n", "(on a function)\n",
		"type Pod = corev1.Pod", "\n  +kubebuilder:selectablefield ", "\n    JSONPath=.spec.field ",
	} {
		if !strings.Contains(help.String(), part) {
			t.Errorf("the help lacks %q:\n%s", part, help.String())
		}
	}
}

// Exit codes are the same in the manual and in both helps.
func TestExitCodes(t *testing.T) {
	if got := regexp.MustCompile(`(?m)^//\t(\d)  `).FindAllStringSubmatch(section(t, "Exit codes"), -1); len(got) != 3 {
		t.Errorf("the manual lists the exit codes %v", got)
	}
	for _, args := range [][]string{{"-help"}, {"explain", "-help"}} {
		var help bytes.Buffer
		runCommand(t.Context(), args, &help, &help)
		for _, code := range []int{exitOK, exitFailed, exitUsage} {
			if !regexp.MustCompile(`(?m)^  ` + string(rune('0'+code)) + `  \w`).MatchString(help.String()) {
				t.Errorf("indexer-gen %s does not list the exit code %d", strings.Join(args, " "), code)
			}
		}
	}
}

// help knows the commands and the markers. It shows an example of a marker, and where the page has more.
func TestHelpOn(t *testing.T) {
	page, err := os.ReadFile("../../docs/markers.md")
	if err != nil {
		t.Fatal(err)
	}
	for words, want := range map[string][]string{
		"":            {"usage: indexer-gen [flags]", "Example of a marker: indexer-gen help +index:ref"},
		"manual":      {"Command indexer-gen writes"},
		"explain":     {"usage: indexer-gen explain"},
		"migrate":     {"usage: indexer-gen migrate"},
		"vet":         {"usage: indexer-gen vet"},
		"+index":      {"omitempty=true", "Example:\n  // +index:name=NodePhase,paths="},
		"+index:ref":  {"(on a type,", "namespacePath=.spec.field", "Example:\n  // +index:ref:name=Secret,"},
		"index:owner": {"ByOwner(uid)", "Example:\n  // +index:owner\n"},
		"nothing": {"there is no help on nothing; there is on explain, migrate, vet, manual, +index, +index:generate, " +
			"+index:owner, +index:labels, +index:ref, +index:func, +kubebuilder:selectablefield\n"},
		"./api": {"there is no help on ./api; "},
	} {
		var out bytes.Buffer
		code := runCommand(t.Context(), append([]string{"help"}, strings.Fields(words)...), &out, &out)
		if unknown := strings.Contains(out.String(), "there is no help"); (code == exitUsage) != unknown {
			t.Errorf("help %s exits with %d", words, code)
		}
		for _, part := range want {
			if !strings.Contains(out.String(), part) {
				t.Errorf("help %s lacks %q:\n%s", words, part, out.String())
			}
		}
		if _, section, ok := strings.Cut(out.String(), "\nMore: docs/markers.md, "); ok &&
			!strings.Contains(string(page), "\n## "+section) {
			t.Errorf("help %s: the page has no section %s", words, section)
		}
	}
}
