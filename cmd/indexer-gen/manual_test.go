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

	"github.com/indexer-gen/indexer-gen/generator"
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

// section is what the manual has under a heading.
func section(t *testing.T, heading string) string {
	t.Helper()
	_, after, found := strings.Cut(manual(t), "\n// # "+heading+"\n")
	if !found {
		t.Fatalf("the manual has no section %s", heading)
	}
	text, _, _ := strings.Cut(after, "\n// # ")
	return text
}

// members lists what stands first on the lines of a section's tables, once each.
func members(text string) []string {
	var out []string
	for _, m := range regexp.MustCompile(`(?m)^//\t(\w+) `).FindAllStringSubmatch(text, -1) {
		out = append(out, m[1])
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// The manual describes every member of what -json prints, and no other.
func TestManualOfJSON(t *testing.T) {
	var want []string
	for _, v := range []any{finding{}, outcome{}} {
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

// The manual knows every marker, every option and every flag that the help prints.
func TestManualKnowsTheLanguage(t *testing.T) {
	text := section(t, "Markers")
	for _, m := range generator.Markers() {
		if !regexp.MustCompile(regexp.QuoteMeta(m.Name) + `\b`).MatchString(text) {
			t.Errorf("the manual does not know %s", m.Name)
		}
		for _, o := range m.Options {
			if !strings.Contains(text, o.Name+"=") {
				t.Errorf("the manual does not know the option %s of %s", o.Name, m.Name)
			}
		}
	}
	var help bytes.Buffer
	if code := run(t.Context(), []string{"-help"}, &help, &help); code != ok {
		t.Fatalf("-help exits with %d", code)
	}
	for _, part := range []string{
		"\n  +index:ref ", "\n    namespacePath=.spec.field ", "(on a type, an alias or a field)\n", "(on a function)\n", "type Pod = corev1.Pod",
		"\n  +kubebuilder:selectablefield ", "\n    JSONPath=.spec.field ",
	} {
		if !strings.Contains(help.String(), part) {
			t.Errorf("the help lacks %q:\n%s", part, help.String())
		}
	}
	flags := section(t, "Flags")
	for _, m := range regexp.MustCompile(`(?m)^  (-[\w-]+)`).FindAllStringSubmatch(help.String(), -1) {
		if !strings.Contains(flags, "//\t"+m[1]+" ") {
			t.Errorf("the manual does not know the flag %s", m[1])
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
		run(t.Context(), args, &help, &help)
		for _, code := range []int{ok, failed, usage} {
			if !regexp.MustCompile(`(?m)^  ` + string(rune('0'+code)) + `  \w`).MatchString(help.String()) {
				t.Errorf("indexer-gen %s does not tell of exit code %d", strings.Join(args, " "), code)
			}
		}
	}
}
