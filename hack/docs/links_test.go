// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// Links between pages lead to files and headings that exist.
func TestLinks(t *testing.T) {
	repo := repository(t)
	link, code := regexp.MustCompile(`\]\(([^)]*)\)`), regexp.MustCompile("(?s)```.*?```|`[^`\n]*`")
	for _, page := range append(pages(t), "CHANGELOG.md") {
		text := code.ReplaceAllString(read(t, filepath.Join(repo, page)), "")
		for _, m := range link.FindAllStringSubmatch(text, -1) {
			path, heading, _ := strings.Cut(m[1], "#")
			if strings.Contains(path, "://") {
				continue
			}
			target := filepath.Join(repo, page)
			if path != "" {
				target = filepath.Join(filepath.Dir(target), path)
			}
			if _, err := os.Stat(target); err != nil {
				t.Errorf("%s: the link %s leads nowhere", page, m[1])
			} else if heading != "" && !slices.Contains(headings(t, target), heading) {
				t.Errorf("%s: %s has no heading #%s", page, path, heading)
			}
		}
	}
}

// headings returns the headings of a page as links name them.
func headings(t *testing.T, page string) (found []string) {
	for _, m := range regexp.MustCompile(`(?m)^#+ (.*)$`).FindAllStringSubmatch(read(t, page), -1) {
		name := regexp.MustCompile(`[^a-z0-9 -]`).ReplaceAllString(strings.ToLower(m[1]), "")
		found = append(found, strings.ReplaceAll(name, " ", "-"))
	}
	return found
}

// The index lists every page of docs/.
func TestIndexOfPages(t *testing.T) {
	index := read(t, filepath.Join(repository(t), "docs", "README.md"))
	for _, page := range pages(t) {
		if name := filepath.Base(page); strings.HasPrefix(page, "docs") && name != "README.md" &&
			!strings.Contains(index, "("+name+")") {
			t.Errorf("docs/README.md does not link to %s", name)
		}
	}
}

func TestReadmeIsShort(t *testing.T) {
	if lines := strings.Count(read(t, filepath.Join(repository(t), "README.md")), "\n"); lines > 200 {
		t.Errorf("README.md has %d lines, at most 200: move something to docs/", lines)
	}
}

// CI runs the first commands of the README.
func TestFirstCommandsAreCI(t *testing.T) {
	ci := read(t, filepath.Join(repository(t), ".ci", "run"))
	for first := range strings.Lines(blocks(t, "README.md", "sh")[0].code) {
		if !strings.Contains(ci, "\nstep "+first) {
			t.Errorf("CI does not run %q", first)
		}
	}
}

// CONTRIBUTING.md names scripts and commands that exist.
func TestContributingCommands(t *testing.T) {
	repo := repository(t)
	text := read(t, filepath.Join(repo, "CONTRIBUTING.md"))
	for _, m := range regexp.MustCompile("`((?:hack|\\.ci)/[\\w.-]+)").FindAllStringSubmatch(text, -1) {
		if _, err := os.Stat(filepath.Join(repo, m[1])); err != nil {
			t.Errorf("there is no %s", m[1])
		}
	}
	command := regexp.MustCompile("`(?:hack/[\\w.-]+|go (?:run|test)(?: -race)? [^`]*)`(?: in `([\\w/-]+)`)?")
	packages := regexp.MustCompile(` \./([\w/-]*\w)`)
	for line := range strings.Lines(text) {
		for _, m := range command.FindAllStringSubmatch(line, -1) {
			// In tables, the last cell may say where.
			cells := strings.Split(strings.TrimSuffix(line, " |\n"), " | ")
			where := append(regexp.MustCompile("`([\\w/-]+)`").FindAllStringSubmatch(cells[len(cells)-1], -1), m, []string{1: ""})
			for _, p := range packages.FindAllStringSubmatch(m[0], -1) {
				if !slices.ContainsFunc(where, func(w []string) bool {
					_, err := os.Stat(filepath.Join(repo, w[1], p[1]))
					return err == nil
				}) {
					t.Errorf("there is no package %s for %s", p[0], m[0])
				}
			}
		}
	}
}
