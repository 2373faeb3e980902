// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package generator

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/semver"
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
func lacking(ctx context.Context, p *program, mod *modfile.File, file string) string {
	if slices.Contains(strings.Fields(p.goflags), "-mod=mod") {
		return ""
	}
	name := "the module"
	if mod.Module != nil {
		name = mod.Module.Mod.Path
	}
	dir := filepath.Dir(file)
	_, missing, unsure := required(ctx, dir, runtimeModule)
	if unsure && !inWorkspace(ctx, dir) {
		missing = !slices.ContainsFunc(mod.Require, func(r *modfile.Require) bool { return r.Mod.Path == runtimeModule })
	}
	if missing {
		version := "latest"
		if isDirectory(mod.Syntax, runtimeModule) {
			version = "v0.0.0" // what the directory stands for, whatever has been published
		}
		return fmt.Sprintf("%s does not require the runtime, which emitted code imports; run go get %s@%s, and go mod tidy only when the code is written, for before that it takes the runtime out again",
			name, runtimeModule, version)
	}
	version, _, _ := required(ctx, dir, apimachinery)
	if semver.IsValid(version) && semver.Compare(version, Apimachinery) < 0 {
		return fmt.Sprintf("%s is built with %s %s, and emitted code needs %s; raise it, or drop the replace directive that keeps it there",
			name, apimachinery, version, Apimachinery)
	}
	return ""
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

// required returns the version of a module that packages in dir are built with, ""
// if it has none, as a directory; missing is true if the go command knows no such
// module there, and unsure if it cannot tell, because go.sum lacks something.
func required(ctx context.Context, dir, module string) (version string, missing, unsure bool) {
	const format = `{{with .Replace}}{{if eq .Path "` + apimachinery + `"}}{{.Version}}{{end}}{{else}}{{.Version}}{{end}}`
	command := exec.CommandContext(ctx, "go", "list", "-m", "-f", format, module)
	command.Dir = dir
	out, err := command.Output()
	var failed *exec.ExitError
	if errors.As(err, &failed) {
		message := string(failed.Stderr)
		return "", strings.Contains(message, "not a known dependency") ||
			strings.Contains(message, "can't resolve module using the vendor directory"), strings.Contains(message, "missing go.sum entry")
	}
	return strings.TrimSpace(string(out)), false, false
}

// inWorkspace reports whether a go.work says what packages in dir are built with.
func inWorkspace(ctx context.Context, dir string) bool {
	command := exec.CommandContext(ctx, "go", "env", "GOWORK")
	command.Dir = dir
	out, err := command.Output()
	file := strings.TrimSpace(string(out))
	return err == nil && file != "" && file != "off"
}
