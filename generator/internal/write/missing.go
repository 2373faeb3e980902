// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package write

import (
	"context"
	"maps"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/indexer-gen/indexer-gen/generator/internal/load"
	"github.com/indexer-gen/indexer-gen/generator/internal/target"
)

// missingImportPattern matches the go command's errors for imports that a module lacks, without positions and
// without their remedies.
var missingImportPattern = regexp.MustCompile(`(?:missing go\.sum entry|no required module provides|` +
	`updates to go\.mod needed|cannot find module providing package \S+: import lookup disabled)[^;\n]*`)

// Missing returns a message with a remedy for each module whose go.mod, go.sum or vendor directory
// lacks what the changed files import. Once the code exists, go mod tidy adds it; before, it would
// remove the runtime. So this is no error, unlike a missing requirement of the runtime. With
// -mod=mod, builds add it.
func Missing(ctx context.Context, p *load.Program, files []*File) (out []string) {
	changed := map[string][]string{} // directories by go.mod
	for _, f := range files {
		dir := filepath.Dir(f.Path)
		if file := target.ModuleFile(dir); file != "" && f.Changed && !f.Removed {
			changed[file] = append(changed[file], dir)
		}
	}
	if slices.Contains(strings.Fields(p.GoFlags), "-mod=mod") {
		return nil
	}
	for _, file := range slices.Sorted(maps.Keys(changed)) {
		command := exec.CommandContext(ctx, "go", slices.Concat([]string{"list", "-deps", "--"}, changed[file])...)
		command.Dir = filepath.Dir(file)
		var said strings.Builder
		command.Stderr = &said
		_ = command.Run() // the first build reports other errors
		what := missingImportPattern.FindString(said.String())
		if what == "" {
			continue
		}
		run := "go mod tidy"
		if strings.Contains(said.String(), "-mod=vendor") {
			run += " && go mod vendor"
		}
		if file != target.ModuleFile(p.Report.Dir) {
			run += " in " + p.Report.Short(filepath.Dir(file))
		}
		if strings.Contains(what, "client-go") || strings.Contains(what, "controller-runtime") {
			run += "; every module that imports the package will require that module too, unless you emit " +
				"into another module with -o"
		}
		out = append(out, p.Report.Short(file)+" lacks what emitted code imports: "+what+"; run "+run)
	}
	return out
}
