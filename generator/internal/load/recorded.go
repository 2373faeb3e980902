// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package load

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/indexer-gen/indexer-gen/templates/model"
)

// recorded returns the emitted files in the packages that match the patterns whose types are in
// packages that do not match, by the import path of these. typesOf returns that path for the
// text of an emitted file, or "".
func recorded(
	ctx context.Context, dir string, patterns []string, flags string, typesOf func([]byte) string,
) map[string][]string {
	args := []string{"list", "-e", "-find", "-f", "{{.ImportPath}}\t{{.Dir}}"}
	if slices.Contains(strings.Fields(flags), "-mod=mod") {
		args = append(args, "-mod=readonly") // else it would add what emitted files import
	}
	command := exec.CommandContext(ctx, "go", slices.Concat(args, []string{"--"}, patterns)...)
	command.Dir = dir
	out, _ := command.Output() // expand reports the errors
	found := map[string][]string{}
	var matched []string
	for line := range strings.Lines(string(out)) {
		path, dir, _ := strings.Cut(strings.TrimSpace(line), "\t")
		matched = append(matched, path)
		for _, t := range model.Targets {
			file := filepath.Join(dir, t.FileName())
			if info, err := os.Stat(file); err != nil || !info.Mode().IsRegular() {
				continue
			}
			if text, err := os.ReadFile(file); err == nil && typesOf(text) != "" {
				types := typesOf(text)
				found[types] = append(found[types], file)
			}
		}
	}
	for _, path := range matched {
		delete(found, path)
	}
	return found
}
