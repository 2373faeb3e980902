// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package write

import (
	"context"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/mod/modfile"

	"github.com/indexer-gen/indexer-gen/generator/internal/load"
	"github.com/indexer-gen/indexer-gen/generator/internal/target"
)

// Missing returns a message with a remedy for each module whose go.mod, go.sum or vendor directory lacks what the
// changed files import, and for each module above it that requires it. Once the code exists, go mod
// tidy adds the requirement; before, it would remove the runtime. So this is no error, unlike a
// missing requirement of the runtime.
func Missing(ctx context.Context, p *load.Program, files []*File) []string {
	changed := map[string][]*File{} // by go.mod
	for _, f := range files {
		if file := target.ModuleFile(filepath.Dir(f.Path)); file != "" && f.Changed && !f.Removed {
			changed[file] = append(changed[file], f)
		}
	}
	itself := slices.Contains(strings.Fields(p.GoFlags), "-mod=mod") // builds update go.mod and go.sum
	var out []string
	for _, file := range slices.Sorted(maps.Keys(changed)) {
		var imports, packages []string
		dir, module := filepath.Dir(file), modulePath(file)
		for _, f := range changed[file] {
			imports = append(imports, importsOf(f.Content)...)
			if rel, err := filepath.Rel(dir, filepath.Dir(f.Path)); err == nil {
				packages = append(packages, path.Join(module, filepath.ToSlash(rel)))
			}
		}
		if brought := target.Brought(ctx, file, imports); brought != "" {
			out = append(out, p.Report.Short(file)+" lacks what emitted code imports: "+brought+
				in(p, file)+", or emit into another module with -o")
		} else if !itself {
			out = append(out, lacking(ctx, p, file, packages...)...)
		}
		for above := target.ModuleFile(filepath.Dir(dir)); above != "" && !itself; {
			if requires(above, module) {
				out = append(out, lacking(ctx, p, above, "./...")...)
			}
			above = target.ModuleFile(filepath.Dir(filepath.Dir(above)))
		}
	}
	return out
}

// lacking returns the message for a module that lacks what its packages import, or nil.
func lacking(ctx context.Context, p *load.Program, file string, packages ...string) []string {
	dir := filepath.Dir(file)
	command := exec.CommandContext(ctx, "go", slices.Concat([]string{"list", "-deps", "--"}, packages)...)
	command.Dir = dir
	var said strings.Builder
	command.Stderr = &said
	_ = command.Run() // the first build reports other errors
	tidy := "; run go mod tidy" + in(p, file)
	const noSum = "missing go.sum entry"
	if _, entry, found := strings.Cut(said.String(), noSum); found {
		entry, _, _ = strings.Cut(entry, ";")
		return []string{p.Report.Short(filepath.Join(dir, "go.sum")) +
			" lacks what emitted code imports: " + load.OneLine(noSum+entry) + tidy}
	}
	if strings.Contains(said.String(), "disabled by -mod=vendor") {
		return []string{p.Report.Short(filepath.Join(dir, "vendor")) +
			" lacks what emitted code imports; run go mod tidy && go mod vendor" + in(p, file)}
	}
	if strings.Contains(said.String(), "updates to go.mod needed") {
		return []string{p.Report.Short(file) + " lacks what emitted code requires, so builds say " +
			`"updates to go.mod needed"` + tidy}
	}
	return nil
}

// in ends a message with the directory to run a command of a module in. It returns "" if that is the
// module of the working directory.
func in(p *load.Program, file string) string {
	if file == target.ModuleFile(p.Report.Dir) {
		return ""
	}
	return " in " + p.Report.Short(filepath.Dir(file))
}

// importsOf returns the paths that a Go file imports.
func importsOf(content []byte) (out []string) {
	file, err := parser.ParseFile(token.NewFileSet(), "", content, parser.ImportsOnly)
	if err != nil {
		return nil
	}
	for _, spec := range file.Imports {
		if path, err := strconv.Unquote(spec.Path.Value); err == nil {
			out = append(out, path)
		}
	}
	return out
}

func modulePath(file string) string {
	text, err := os.ReadFile(file)
	if err != nil {
		return ""
	}
	return modfile.ModulePath(text)
}

// requires reports whether a go.mod requires a module.
func requires(file, module string) bool {
	text, err := os.ReadFile(file)
	if err != nil {
		return false
	}
	mod, err := modfile.ParseLax(file, text, nil)
	return err == nil &&
		slices.ContainsFunc(mod.Require, func(r *modfile.Require) bool { return r.Mod.Path == module })
}
