// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package write

import (
	"context"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/indexer-gen/indexer-gen/generator/internal/load"
	"github.com/indexer-gen/indexer-gen/generator/internal/target"
	"github.com/indexer-gen/indexer-gen/templates/model"
)

// MissingSums returns a message with a remedy for each module whose go.sum lacks an entry
// that emitted code needs through the runtime. Once the code exists, go mod tidy adds the
// entry; before, it would remove the runtime. So this is no error, unlike a missing
// requirement. If builds update go.sum themselves, there is no message.
func MissingSums(ctx context.Context, p *load.Program, files []*File) []string {
	if slices.Contains(strings.Fields(p.GoFlags), "-mod=mod") {
		return nil
	}
	var out []string
	seen := map[string]bool{}
	for _, f := range files {
		file := target.ModuleFile(filepath.Dir(f.Path))
		if file == "" || seen[file] || !f.Changed || f.Removed {
			continue
		}
		seen[file] = true
		dir := filepath.Dir(file)
		command := exec.CommandContext(ctx, "go", "list", "-e", "-deps", "-f",
			"{{with .Error}}{{.Err}}{{end}}",
			model.Informer, model.Lister, model.Wire)
		command.Dir = dir
		said, _ := command.Output() // the first build reports other errors
		for line := range strings.Lines(string(said)) {
			if entry, _, _ := strings.Cut(line, ";"); strings.Contains(entry, "missing go.sum entry") {
				out = append(out, p.Report.Short(filepath.Join(dir, "go.sum"))+" lacks what emitted "+
					"code imports: "+load.OneLine(entry)+"; run go mod tidy"+p.Report.In(dir))
				break
			}
		}
	}
	return out
}
