// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package migrate

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"go/format"
	"maps"
	"os"
	"path"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/indexer-gen/indexer-gen/generator"
	"github.com/indexer-gen/indexer-gen/templates/model"
)

// Write writes aliases with the markers of answers into a package below dir, code for it, and tests with the keys that the
// functions returned. An answer whose markers the generator refuses becomes one without markers. Write returns the number
// of tests.
func Write(ctx context.Context, dir, output string, answers []*Answer) (tests int, err error) {
	to := output
	if !filepath.IsAbs(output) {
		to = filepath.Join(dir, output)
	}
	file := filepath.Join(to, "types.go")
	if _, err := os.Stat(file); err == nil {
		return 0, fmt.Errorf("%s exists, and may have markers of yours; remove it, or choose another directory", filepath.Join(output, "types.go"))
	}
	p := &aliasPackage{Imports: map[string]string{}, Types: map[string][]*indexFunction{}}
	for _, a := range answers {
		if len(a.Indexes) > 0 {
			p.Answers = append(p.Answers, a)
			p.Types[a.Alias] = append(p.Types[a.Alias], a.function)
			p.Imports[a.objectType.Obj().Pkg().Path()], _, _ = strings.Cut(a.Type, ".")
			if a.Keyed != "" {
				maps.Copy(p.Imports, a.function.MovedImports)
			}
			if rel, err := filepath.Rel(a.function.pkg.Module.Dir, to); err == nil && !strings.HasPrefix(rel, "..") {
				p.Path = path.Join(a.function.pkg.Module.Path, filepath.ToSlash(rel))
				p.Tools = toolsModulePath(to, a.function.pkg.Module.Dir)
			}
			if target := model.Target(a.Target); !slices.Contains(p.Targets, target) {
				p.Targets = append(p.Targets, target)
			}
		}
	}
	if len(p.Answers) == 0 {
		return 0, errors.New("no index function has markers, so nothing was written")
	}
	if p.Path == "" {
		return 0, fmt.Errorf("%s is in no module of the packages with index functions; choose a directory below their go.mod", output)
	}
	text, err := writeGoFile(file, "types", p)
	if err != nil {
		return 0, err
	}
	_, err = generator.Run(ctx, generator.Config{Dir: dir, Patterns: []string{p.Path}, Targets: p.Targets})
	if err == nil {
		_, err = writeGoFile(filepath.Join(to, "zz_migrate_test.go"), "tests", p)
		return len(p.Answers), err
	} else if failed := os.Remove(file); failed != nil || !p.withdrawRefusedMarkers(err, strings.Split(string(text), "\n")) {
		return 0, errors.Join(err, failed)
	}
	return Write(ctx, dir, output, answers)
}

// toolsModulePath returns the path of a module's tools/go.mod from a directory, or "" if there is none.
func toolsModulePath(dir, module string) string {
	tools := filepath.Join(module, "tools", "go.mod")
	if _, err := os.Stat(tools); err != nil {
		return ""
	}
	rel, _ := filepath.Rel(dir, tools) // both are absolute
	return filepath.ToSlash(rel)
}

// aliasPackage is a package of aliases with markers.
type aliasPackage struct {
	Path    string
	Tools   string            // the path of tools/go.mod from the package, if the project has one
	Imports map[string]string // names by path
	Targets []model.Target
	Types   map[string][]*indexFunction // by the alias
	Answers []*Answer
}

// Command returns the command that docs/install.md teaches: of the project's tools/go.mod, of the version that runs, or of
// a clone.
func (p *aliasPackage) Command() string {
	const command = "github.com/indexer-gen/indexer-gen/cmd/indexer-gen"
	info, ok := debug.ReadBuildInfo()
	switch {
	case p.Tools != "":
		return "go run -mod=mod -modfile=" + p.Tools + " " + command
	case ok && info.Main.Replace != nil:
		return "go run " + command
	case ok && info.Main.Sum != "": // it was downloaded
		return "go run -mod=mod " + command + "@" + info.Main.Version
	}
	return "indexer-gen"
}

// writeGoFile writes a Go file by a template.
func writeGoFile(name, templateName string, data any) ([]byte, error) {
	var out bytes.Buffer
	err := templates.ExecuteTemplate(&out, templateName, data)
	text, failed := format.Source(out.Bytes())
	if err = cmp.Or(err, failed, os.MkdirAll(filepath.Dir(name), 0o777)); err != nil {
		return nil, err
	}
	return text, os.WriteFile(name, text, 0o666)
}

// withdrawRefusedMarkers takes the markers away for which the generator has errors in the file of aliases. It reports
// whether there were any.
func (p *aliasPackage) withdrawRefusedMarkers(generatorErr error, fileLines []string) (anyWithdrawn bool) {
	var list generator.Diagnostics
	errors.As(generatorErr, &list)
	for _, d := range list {
		if filepath.Base(d.Pos.Filename) != "types.go" || d.Pos.Line < 1 {
			continue
		}
		line := fileLines[d.Pos.Line-1]
		has := func(ix *Index) bool { return slices.Contains(ix.Markers, strings.TrimPrefix(line, "// ")) }
		for _, a := range p.Answers {
			if len(a.Indexes) > 0 && strings.HasPrefix(line, a.Declaration()) || slices.ContainsFunc(a.Indexes, has) {
				a.Reason = "the generator refuses " + strings.Join(a.Indexes[0].Markers, " and ") + ": " + d.Message
				a.Indexes, anyWithdrawn = nil, true
			}
		}
	}
	return anyWithdrawn
}
