// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package target

import (
	"context"
	"fmt"
	"go/token"
	"go/version"
	"os"
	"path/filepath"

	"golang.org/x/mod/modfile"

	"github.com/indexer-gen/indexer-gen/generator/internal/load"
)

// GoVersion is the Go language version that emitted code needs, because the runtime needs it.
// It is the go directive of the runtime's go.mod, without the patch release.
const GoVersion = "1.24"

// CheckModules reports each module in dirs whose go.mod requires an older Go than GoVersion or
// lacks the runtime. Directories outside modules are skipped. The error is for an unreadable
// go.mod.
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
		if err != nil {
			continue // the go command reports an invalid go.mod
		}
		if mod.Go == nil || version.Compare(version.Lang("go"+mod.Go.Version), "go"+GoVersion) >= 0 {
			if why := lacking(ctx, p, mod, name); why != "" {
				p.Report.Add(token.Position{Filename: name, Line: 1, Column: 1}, why)
			}
			continue
		}
		line := mod.Go.Syntax.Start
		p.Report.Add(token.Position{Filename: name, Line: line.Line, Column: line.LineRune}, fmt.Sprintf(
			"the module says go %s, and emitted code needs go %s; run %s, which raises it, or go mod "+
				"edit -go=%s.0",
			mod.Go.Version, GoVersion, getRuntime(ctx, filepath.Dir(name), mod), GoVersion))
	}
	return nil
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
