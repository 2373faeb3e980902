// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package migrate

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/format"
	"io"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"

	"github.com/indexer-gen/indexer-gen/generator"
	"github.com/indexer-gen/indexer-gen/generator/internal/write"
	"github.com/indexer-gen/indexer-gen/templates/model"
)

// WriteConfig says what Write writes.
type WriteConfig struct {
	Dir, Output string    // Output is relative to Dir, or absolute
	Fix         bool      // have the program use the emitted indexes
	Diff        io.Writer // if not nil, gets what Fix would change, and nothing is written
}

// Written says what Write wrote.
type Written struct {
	Tests, Edited int      // the numbers of tests, and of edited files
	Left          []string // what Fix does not change or remove, and why
}

// Write writes aliases with the markers of answers into a package, code for it, and tests with the keys that the functions
// returned. If it fails, nothing is written.
func Write(ctx context.Context, cfg WriteConfig, answers []*Answer) (out Written, err error) {
	to := cfg.Output
	if !filepath.IsAbs(to) {
		to = filepath.Join(cfg.Dir, to)
	}
	types := filepath.Join(to, "types.go")
	if _, err := os.Stat(types); err == nil {
		return out, fmt.Errorf("%s exists, and may have markers of yours; remove it, or choose another directory", filepath.Join(cfg.Output, "types.go"))
	}
	p := newAliasPackage(to, answers)
	if len(p.Answers) == 0 {
		return out, errors.New("no index function has markers, so nothing was written")
	}
	if p.Path == "" {
		return out, fmt.Errorf("%s is in no module of the packages with index functions; choose a directory below their go.mod", cfg.Output)
	}
	texts := map[string][]byte{}
	texts[types], err = goSource("types", p)
	if err != nil {
		return out, err
	}
	emitted, err := generator.Run(ctx, generator.Config{Dir: cfg.Dir, Patterns: []string{p.Path}, Targets: p.Targets, Check: true, Overlay: texts})
	if err != nil {
		return out, err
	}
	for _, file := range emitted.Files {
		texts[file.Path] = file.Content
	}
	if texts[filepath.Join(to, "zz_migrate_test.go")], err = goSource("tests", p); err != nil {
		return out, err
	}
	own := len(texts)
	if cfg.Fix || cfg.Diff != nil {
		if out.Left, err = p.useEmittedIndexes(ctx, cfg.Dir, texts); err != nil {
			return out, err
		}
	}
	out.Tests, out.Edited = len(p.Answers), len(texts)-own
	return out, writeFilesOrDiff(cfg, to, texts)
}

// writeFilesOrDiff writes files, or prints how those change that are outside a directory.
func writeFilesOrDiff(cfg WriteConfig, dirNotInDiff string, texts map[string][]byte) error {
	var files []*write.File
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		file := &write.File{Path: name, Name: name, Content: texts[name]}
		if rel, err := filepath.Rel(cfg.Dir, name); err == nil {
			file.Name = filepath.ToSlash(rel)
		}
		err := file.Compare(cfg.Diff != nil)
		if err == nil && cfg.Diff != nil && filepath.Dir(name) != dirNotInDiff {
			_, err = io.WriteString(cfg.Diff, file.Diff)
		}
		if err != nil {
			return err
		}
		files = append(files, file)
	}
	if cfg.Diff != nil {
		return nil
	}
	return write.Files(files)
}

// relativeToolsModFile returns the path of a module's tools/go.mod from a directory, or "" if that does not have the
// generator.
func relativeToolsModFile(dir, module string) string {
	tools := filepath.Join(module, "tools", "go.mod")
	if text, err := os.ReadFile(tools); err != nil || !bytes.Contains(text, []byte(generatorModule)) {
		return ""
	}
	rel, _ := filepath.Rel(dir, tools) // both are absolute
	return filepath.ToSlash(rel)
}

const generatorModule = "github.com/indexer-gen/indexer-gen"

// typeAliasPackage is a package of aliases with markers.
type typeAliasPackage struct {
	Path       string
	ModulePath string
	Tools      string            // the path of tools/go.mod from the package, if the project has one
	Imports    map[string]string // names by path
	Targets    []model.Target
	Types      map[string][]*indexFunction // by the alias
	Markers    map[string][]string         // by the alias, without those of functions
	Answers    []*Answer
}

// newAliasPackage returns the package in a directory for the answers that have markers. It has no path if the directory is
// in none of their modules.
func newAliasPackage(dir string, answers []*Answer) *typeAliasPackage {
	p := &typeAliasPackage{Imports: map[string]string{}, Types: map[string][]*indexFunction{}, Markers: map[string][]string{}}
	for _, a := range answers {
		if len(a.Indexes) == 0 {
			continue
		}
		p.Answers = append(p.Answers, a)
		p.Types[a.Alias] = append(p.Types[a.Alias], a.function)
		p.Imports[a.objectType.Obj().Pkg().Path()], _, _ = strings.Cut(a.Type, ".")
		if a.Keyed != "" {
			maps.Copy(p.Imports, a.function.MovedImports)
		}
		for _, ix := range a.Indexes {
			if a.Keyed == "" && !slices.Contains(p.Markers[a.Alias], ix.Markers[0]) { // another answer may have the same
				p.Markers[a.Alias] = append(p.Markers[a.Alias], ix.Markers...)
			}
		}
		module := a.function.pkg.Module // one may be in a directory of the other
		rel, err := filepath.Rel(module.Dir, dir)
		if err == nil && !strings.HasPrefix(rel, "..") && len(module.Path) >= len(p.ModulePath) {
			p.Path, p.ModulePath = path.Join(module.Path, filepath.ToSlash(rel)), module.Path
			p.Tools = relativeToolsModFile(dir, module.Dir)
		}
		if target := model.Target(a.Target); !slices.Contains(p.Targets, target) {
			p.Targets = append(p.Targets, target)
		}
	}
	return p
}

// Command returns the command that docs/install.md teaches: of the project's tools/go.mod, of the version that runs, or of
// a clone.
func (p *typeAliasPackage) Command() string {
	const command = generatorModule + "/cmd/indexer-gen"
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

// jsonLiteral returns Go for a text of JSON, with a line for each member if it is longer than a screen is wide.
func jsonLiteral(text json.RawMessage) string {
	if bytes.ContainsRune(text, '`') {
		return strconv.Quote(string(text))
	} else if len(text) <= 100 {
		return "`" + string(text) + "`"
	}
	var lines bytes.Buffer
	_ = json.Indent(&lines, text, "\t\t", "\t") // it is valid
	return "`" + lines.String() + "`"
}

// goSource returns a Go file by a template.
func goSource(templateName string, data any) ([]byte, error) {
	var out bytes.Buffer
	if err := templates.ExecuteTemplate(&out, templateName, data); err != nil {
		return nil, err
	}
	return format.Source(out.Bytes())
}

// downgradeRefusedMarkers has the generator check the markers of answers, in packages that are not written. Functions whose
// markers it refuses get +index:func, and none if it refuses that. It reports whether there are any.
func downgradeRefusedMarkers(ctx context.Context, answers []*Answer) (anyDowngraded bool, err error) {
	byModule := map[string][]*Answer{}
	for _, a := range answers {
		if len(a.Indexes) > 0 {
			byModule[a.function.pkg.Module.Dir] = append(byModule[a.function.pkg.Module.Dir], a)
		}
	}
	for module, answers := range byModule {
		p := newAliasPackage(filepath.Join(module, filepath.Dir(checkedFile)), answers)
		text, err := goSource("types", p)
		if err != nil {
			return false, err
		}
		_, err = generator.Run(ctx, generator.Config{
			Dir: module, Patterns: []string{p.Path}, Targets: p.Targets, Check: true,
			Overlay: map[string][]byte{filepath.Join(module, checkedFile): text},
		})
		anyDowngraded = p.downgradeRefusedAnswers(err, strings.Split(string(text), "\n")) || anyDowngraded
	}
	return anyDowngraded, ctx.Err()
}

// checkedFile is a file of a module that is not written, and placeOfOther matches a place in it.
var (
	checkedFile  = filepath.Join(scratchPrefix, "index", "types.go")
	placeOfOther = regexp.MustCompile(`, the other at [^ ,;]*,?`)
)

// downgradeRefusedAnswers takes the markers away for which the generator has errors in the file of aliases.
func (p *typeAliasPackage) downgradeRefusedAnswers(generatorErr error, fileLines []string) (anyDowngraded bool) {
	var list generator.Diagnostics
	errors.As(generatorErr, &list)
	for _, d := range list {
		if d.Pos.Filename != checkedFile {
			continue // such as an error in go.mod, which -write reports
		}
		lines := fileLines[d.Pos.Line-1:]
		declaration := lines[slices.IndexFunc(lines, func(line string) bool { return !strings.HasPrefix(line, "//") })]
		has := func(ix *Index) bool { return slices.Contains(ix.Markers, strings.TrimPrefix(lines[0], "// ")) }
		for _, a := range p.Answers {
			learned, refusesType := &a.function.learnedAnswer, lines[0] == a.aliasDeclaration()
			if refusesType || strings.HasPrefix(declaration, a.Declaration()) && slices.ContainsFunc(a.Indexes, has) {
				learned.Reason = "the generator refuses " + strings.Join(a.Indexes[0].Markers, " and ") + ": " + placeOfOther.ReplaceAllString(d.Message, "")
				learned.Keyed, learned.Indexes, learned.OtherTypes, anyDowngraded = a.Keyed == "" && !refusesType, nil, nil, true
			}
		}
	}
	return anyDowngraded
}
