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

// GoVersion is the version of the Go language that emitted code needs, for it
// needs the runtime. The go.mod of the runtime asks for its first release.
const GoVersion = "1.24"

// CheckModules reports each module that files go to and whose go.mod asks for an
// older Go than they need, or lacks the runtime. A directory that is in no module is
// left alone. The error is that of reading a go.mod.
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
			continue // what is wrong with the file itself is the go command's to say
		}
		if mod.Go == nil || version.Compare(version.Lang("go"+mod.Go.Version), "go"+GoVersion) >= 0 {
			if why := lacking(ctx, p, mod, name); why != "" {
				p.Report.Add(token.Position{Filename: name, Line: 1, Column: 1}, why)
			}
			continue
		}
		line := mod.Go.Syntax.Start
		p.Report.Add(token.Position{Filename: name, Line: line.Line, Column: line.LineRune}, fmt.Sprintf(
			"the module says go %s, and emitted code needs go %s; run %s, which raises it, or go mod edit -go=%s.0",
			mod.Go.Version, GoVersion, getRuntime(ctx, filepath.Dir(name), mod), GoVersion))
	}
	return nil
}

// ModuleFile returns the go.mod that holds for a directory, or "".
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
