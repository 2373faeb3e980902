// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package target

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"

	"github.com/indexer-gen/indexer-gen/generator/internal/load"
)

const (
	runtimeModule = "github.com/indexer-gen/indexer-gen/runtime"
	apimachinery  = "k8s.io/apimachinery"
)

// Apimachinery is the version of k8s.io/apimachinery that the runtime's go.mod requires.
const Apimachinery = "v0.32.0"

// lacking returns the requirements that a module must add before emitted code compiles, or "".
// It uses the go command, which resolves workspaces, replacements and vendor directories. If
// go.sum is incomplete, it falls back to go.mod. With -mod=mod builds add requirements
// themselves, but do not lift replacements. Loading already reported other errors of the go
// command.
func lacking(ctx context.Context, p *load.Program, mod *modfile.File, file string) string {
	name := "the module"
	if mod.Module != nil {
		name = mod.Module.Mod.Path
	}
	dir := filepath.Dir(file)
	required := slices.ContainsFunc(
		mod.Require, func(r *modfile.Require) bool { return r.Mod.Path == runtimeModule })
	if slices.Contains(strings.Fields(p.GoFlags), "-mod=mod") {
		mods := kubeModules(ctx, dir, mod)
		if len(mods) == 0 || !required && !mods[0].replaced {
			return ""
		}
		return conflict(name, mods)
	}
	missing, unsure := unrequired(ctx, dir, runtimeModule)
	if unsure && !inWorkspace(ctx, dir) {
		missing = !required
	}
	if missing {
		return fmt.Sprintf(
			"%s does not require the runtime, which emitted code imports; "+
				"run %s, and run go mod tidy only after indexer-gen, because it removes a runtime that "+
				"is not imported",
			name, getRuntime(ctx, dir, mod))
	}
	return conflict(name, kubeModules(ctx, dir, mod))
}

// getRuntime returns the command that adds the runtime to a module. The runtime may raise
// apimachinery; the command then raises the modules of the same release too.
func getRuntime(ctx context.Context, dir string, mod *modfile.File) string {
	get := runtimeModule + "@latest"
	if isDirectory(mod.Syntax, runtimeModule) {
		get = runtimeModule + "@v0.0.0" // the replaced version, whatever is published
	}
	if mods := kubeModules(ctx, dir, mod); conflict("", mods) != "" {
		return raise(mods, get)
	}
	return "go get " + get
}

// Brought returns the first part of a message for a module that emitted code with these imports
// would make require client-go or controller-runtime, and its remedy. It returns "" for others.
func Brought(ctx context.Context, file string, imports []string) string {
	dir := filepath.Dir(file)
	var lacks, get []string
	for _, module := range []string{clientGo, controllerRuntime} {
		imported := slices.ContainsFunc(
			imports, func(path string) bool { return strings.HasPrefix(path, module+"/") })
		if !imported {
			continue
		}
		if missing, _ := unrequired(ctx, dir, module); missing {
			lacks, get = append(lacks, module), append(get, module+"@latest")
		}
	}
	if lacks == nil {
		return ""
	}
	if mods := kubeModules(ctx, dir, &modfile.File{}); len(mods) > 0 && mods[0].minor() != 0 {
		for i, module := range lacks {
			get[i] = at(module, mods[0].minor())
		}
	}
	return fmt.Sprintf("%s, which every module that imports the package will then require too; "+
		"run go get %s ./...", strings.Join(lacks, " and "), strings.Join(get, " "))
}

// isDirectory reports whether a go.mod replaces all versions of a module by a directory. It
// reads the syntax, because go.mod is parsed without replace directives.
func isDirectory(file *modfile.FileSyntax, module string) bool {
	replaces := func(tokens []string) bool {
		return len(tokens) == 3 && tokens[0] == module && tokens[1] == "=>" &&
			modfile.IsDirectoryPath(tokens[2])
	}
	return slices.ContainsFunc(file.Stmt, func(stmt modfile.Expr) bool {
		switch stmt := stmt.(type) {
		case *modfile.Line:
			return stmt.Token[0] == "replace" && replaces(stmt.Token[1:])
		case *modfile.LineBlock:
			return stmt.Token[0] == "replace" &&
				slices.ContainsFunc(stmt.Line, func(l *modfile.Line) bool { return replaces(l.Token) })
		}
		return false
	})
}

// unrequired reports whether a module is missing in the build list of dir. unsure is true if
// the go command cannot tell because go.sum is incomplete.
func unrequired(ctx context.Context, dir, module string) (missing, unsure bool) {
	command := exec.CommandContext(ctx, "go", "list", "-m", module)
	command.Dir = dir
	_, err := command.Output()
	var failed *exec.ExitError
	if errors.As(err, &failed) {
		message := string(failed.Stderr)
		return strings.Contains(message, "not a known dependency") ||
				strings.Contains(message, "can't resolve module using the vendor directory"),
			strings.Contains(message, "missing go.sum entry")
	}
	return false, false
}

// inWorkspace reports whether a go.work applies to packages in dir.
func inWorkspace(ctx context.Context, dir string) bool {
	command := exec.CommandContext(ctx, "go", "env", "GOWORK")
	command.Dir = dir
	out, err := command.Output()
	file := strings.TrimSpace(string(out))
	return err == nil && file != "" && file != "off"
}
