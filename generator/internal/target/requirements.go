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

// Apimachinery is the version of k8s.io/apimachinery that the go.mod of the
// runtime asks for.
const Apimachinery = "v0.32.0"

// lacking says what a module has to require before emitted code compiles in it, or
// "". It asks the go command, which knows of workspaces, replacements and vendor
// directories. Where GOFLAGS has -mod=mod, builds add what is missing by
// themselves. If the go command cannot say, for go.sum lacks something, go.mod does, as
// far as it can. What else is wrong with the go command, loading has told.
func lacking(ctx context.Context, p *load.Program, mod *modfile.File, file string) string {
	if slices.Contains(strings.Fields(p.GoFlags), "-mod=mod") {
		return ""
	}
	name := "the module"
	if mod.Module != nil {
		name = mod.Module.Mod.Path
	}
	dir := filepath.Dir(file)
	missing, unsure := unrequired(ctx, dir, runtimeModule)
	if unsure && !inWorkspace(ctx, dir) {
		missing = !slices.ContainsFunc(mod.Require, func(r *modfile.Require) bool { return r.Mod.Path == runtimeModule })
	}
	if missing {
		return fmt.Sprintf("%s does not require the runtime, which emitted code imports; run %s, and go mod tidy only when the code is written, for before that it takes the runtime out again",
			name, getRuntime(ctx, dir, mod))
	}
	return conflict(name, kubeModules(ctx, dir, mod))
}

// getRuntime returns the command that has a module require the runtime. The runtime may
// raise apimachinery; then the command raises what must be of the same release too.
func getRuntime(ctx context.Context, dir string, mod *modfile.File) string {
	get := runtimeModule + "@latest"
	if isDirectory(mod.Syntax, runtimeModule) {
		get = runtimeModule + "@v0.0.0" // what the directory stands for, whatever has been published
	}
	if mods := kubeModules(ctx, dir, mod); conflict("", mods) != "" {
		return raise(mods, get)
	}
	return "go get " + get
}

// isDirectory reports whether a go.mod has a directory stand for all versions of a module.
// It asks the syntax, for go.mod is read in a way that passes over replace directives.
func isDirectory(file *modfile.FileSyntax, module string) bool {
	replaces := func(tokens []string) bool {
		return len(tokens) == 3 && tokens[0] == module && tokens[1] == "=>" && modfile.IsDirectoryPath(tokens[2])
	}
	return slices.ContainsFunc(file.Stmt, func(stmt modfile.Expr) bool {
		switch stmt := stmt.(type) {
		case *modfile.Line:
			return stmt.Token[0] == "replace" && replaces(stmt.Token[1:])
		case *modfile.LineBlock:
			return stmt.Token[0] == "replace" && slices.ContainsFunc(stmt.Line, func(l *modfile.Line) bool { return replaces(l.Token) })
		}
		return false
	})
}

// unrequired reports whether the go command knows no such module as one that packages in dir
// are built with. unsure is true if it cannot say, because go.sum lacks something.
func unrequired(ctx context.Context, dir, module string) (missing, unsure bool) {
	command := exec.CommandContext(ctx, "go", "list", "-m", module)
	command.Dir = dir
	_, err := command.Output()
	var failed *exec.ExitError
	if errors.As(err, &failed) {
		message := string(failed.Stderr)
		return strings.Contains(message, "not a known dependency") ||
			strings.Contains(message, "can't resolve module using the vendor directory"), strings.Contains(message, "missing go.sum entry")
	}
	return false, false
}

// inWorkspace reports whether a go.work says what packages in dir are built with.
func inWorkspace(ctx context.Context, dir string) bool {
	command := exec.CommandContext(ctx, "go", "env", "GOWORK")
	command.Dir = dir
	out, err := command.Output()
	file := strings.TrimSpace(string(out))
	return err == nil && file != "" && file != "off"
}
