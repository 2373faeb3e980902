// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package target

import (
	"context"
	"fmt"
	"go/token"
	"go/version"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/semver"
	"sigs.k8s.io/controller-tools/pkg/loader"

	"github.com/indexer-gen/indexer-gen/generator/internal/gotypes"
	"github.com/indexer-gen/indexer-gen/generator/internal/load"
)

const (
	runtimeModule = "github.com/indexer-gen/indexer-gen/runtime"
	apimachinery  = "k8s.io/apimachinery"
)

// GoVersion is the Go language version that emitted code needs, because the runtime needs it.
// It is the go directive of the runtime's go.mod, without the patch release.
const GoVersion = "1.24"

// Apimachinery is the version of k8s.io/apimachinery that the runtime's go.mod requires.
const Apimachinery = "v0.32.0"

// CheckModules reports each module in dirs whose Go or apimachinery is too old for emitted code,
// or that lacks the runtime. Directories outside modules are skipped. The error is for an
// unreadable go.mod.
func CheckModules(ctx context.Context, p *load.Program, dirs []string) error {
	seen := map[string]bool{}
	for _, dir := range dirs {
		name := ModuleFile(dir)
		if name == "" || seen[name] {
			continue
		}
		seen[name] = true
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		mod, err := modfile.ParseLax(name, text, nil)
		if err != nil || mod.Module == nil {
			continue // the go command reports an invalid go.mod
		}
		at := token.Position{Filename: name, Line: 1, Column: 1}
		if mod.Go != nil && version.Compare(version.Lang("go"+mod.Go.Version), "go"+GoVersion) < 0 {
			at.Line, at.Column = mod.Go.Syntax.Start.Line, mod.Go.Syntax.Start.LineRune
			p.Report.Add(at, fmt.Sprintf("the module says go %s, and emitted code needs go %s; run go get "+
				"%s@latest, which raises it, or go mod edit -go=%[2]s.0", mod.Go.Version, GoVersion, runtimeModule))
		} else if why := runtimeOrApimachineryError(ctx, p, mod, filepath.Dir(name)); why != "" {
			p.Report.Add(at, mod.Module.Mod.Path+why)
		}
	}
	return nil
}

// runtimeOrApimachineryError says what a module lacks to build emitted code, or returns "". Replacements can hold
// apimachinery below the version that the runtime requires. With -mod=mod, builds add a missing
// runtime.
func runtimeOrApimachineryError(ctx context.Context, p *load.Program, mod *modfile.File, dir string) string {
	if !slices.ContainsFunc(
		mod.Require, func(r *modfile.Require) bool { return r.Mod.Path == runtimeModule }) {
		if slices.Contains(strings.Fields(p.GoFlags), "-mod=mod") {
			return ""
		}
		if _, err := versionAfterReplace(ctx, dir, runtimeModule); err != nil { // a workspace may have it
			return " does not require the runtime, which emitted code imports; run go get " + runtimeModule +
				"@latest, and run go mod tidy only after indexer-gen, because it removes a runtime that is " +
				"not imported"
		}
	}
	if v := apimachineryVersion(ctx, p, dir); semver.IsValid(v) && semver.Compare(v, Apimachinery) < 0 {
		return fmt.Sprintf(" is built with %s %s, which is below %s, and no target works with it; "+
			"run go mod edit -dropreplace=%[1]s && go get %[1]s@%[3]s ./...", apimachinery, v, Apimachinery)
	}
	return ""
}

// apimachineryVersion returns the version of apimachinery in the build list of the module in dir. Usually the
// packages were loaded with that list, and have it.
func apimachineryVersion(ctx context.Context, p *load.Program, dir string) string {
	loadedHere := slices.ContainsFunc(p.Requested, func(pkg *loader.Package) bool {
		return pkg.Module != nil && pkg.Module.Main && load.SameDir(pkg.Module.Dir, dir)
	})
	meta := p.Checked[gotypes.MetaV1Path]
	switch {
	case !loadedHere || meta == nil || meta.Module == nil:
		v, _ := versionAfterReplace(ctx, dir, apimachinery)
		return v
	case meta.Module.Replace != nil:
		return meta.Module.Replace.Version
	}
	return meta.Module.Version
}

// versionAfterReplace returns the version of a module in the build list of dir, after replacement: "" for a
// directory.
func versionAfterReplace(ctx context.Context, dir, module string) (string, error) {
	command := exec.CommandContext(ctx, "go", "list", "-m", "-f",
		"{{with .Replace}}{{.Version}}{{else}}{{.Version}}{{end}}", module)
	command.Dir = dir
	out, err := command.Output()
	return strings.TrimSpace(string(out)), err
}

// ModuleFile returns the go.mod of a directory's module, or "".
func ModuleFile(dir string) string {
	for {
		name := filepath.Join(dir, "go.mod")
		if info, err := os.Stat(name); err == nil && !info.IsDir() {
			return name
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return ""
		}
		dir = parent
	}
}
