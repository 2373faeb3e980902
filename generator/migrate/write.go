// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package migrate

import (
	"bytes"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"go/format"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/indexer-gen/indexer-gen/generator"
	"github.com/indexer-gen/indexer-gen/templates/model"
)

//go:embed compare.go.txt
var compare string

// TestFile is the name of the tests that Write puts beside index functions.
const TestFile = "zz_migrate_test.go"

// Write writes aliases with the markers of answers into a package below dir, generates code for it, and writes tests
// that compare functions. An answer whose markers the generator refuses becomes one without markers. Write returns the
// number of tests.
func Write(ctx context.Context, dir, output string, answers []*Answer) (tests int, err error) {
	to := output
	if !filepath.IsAbs(output) {
		to = filepath.Join(dir, output)
	}
	file := filepath.Join(to, "types.go")
	if _, err := os.Stat(file); err == nil {
		return 0, fmt.Errorf("%s exists, and may have markers of yours; remove it, or choose another directory", filepath.Join(output, "types.go"))
	}
	for {
		p := &written{Imports: map[string]string{}, Types: map[string]*alias{}}
		if p.add(answers); len(p.Types) == 0 {
			return 0, errors.New("no index function has markers, so nothing was written")
		}
		if p.Path, err = packagePath(to, answers); err != nil {
			return 0, fmt.Errorf("%s %w", output, err)
		}
		text, err := write(file, "types", p)
		if err != nil {
			return 0, err
		}
		_, err = generator.Run(ctx, generator.Config{Dir: dir, Patterns: []string{p.Path}, Targets: p.Targets})
		if err == nil {
			return p.tests(to, answers)
		}
		if !p.withdraw(err, strings.Split(string(text), "\n")) {
			return 0, err
		}
	}
}

// written is a package of aliases with markers.
type written struct {
	Path    string
	Imports map[string]string // names by path
	Targets []model.Target
	Types   map[string]*alias // by the alias
}

// An alias is the type of objects that have indexes, with markers.
type alias struct {
	Type    string
	Markers []string
	answers []*Answer
}

// add adds the answers with markers.
func (p *written) add(answers []*Answer) {
	for _, a := range answers {
		if len(a.Indexes) == 0 {
			continue
		}
		p.Imports[a.object.Obj().Pkg().Path()], _, _ = strings.Cut(a.Type, ".")
		if target := model.Target(a.Target); !slices.Contains(p.Targets, target) {
			p.Targets = append(p.Targets, target)
		}
		if p.Types[a.alias] == nil {
			p.Types[a.alias] = &alias{Type: a.Type}
		}
		t := p.Types[a.alias]
		t.answers = append(t.answers, a)
		for _, ix := range a.Indexes {
			for _, m := range ix.Markers {
				if !slices.Contains(t.Markers, m) {
					t.Markers = append(t.Markers, m)
				}
			}
		}
	}
}

// packagePath returns the import path of a directory in a module of the answers.
func packagePath(dir string, answers []*Answer) (string, error) {
	for _, a := range answers {
		if m := a.of.in.Module; len(a.Indexes) > 0 {
			if rel, err := filepath.Rel(m.Dir, dir); err == nil && !strings.HasPrefix(rel, "..") {
				return path.Join(m.Path, filepath.ToSlash(rel)), nil
			}
		}
	}
	return "", errors.New("is in no module of the packages with index functions; choose a directory below their go.mod")
}

// formatted returns Go by a template.
func formatted(of string, data any) ([]byte, error) {
	var out bytes.Buffer
	err := templates.ExecuteTemplate(&out, of, data)
	text, failed := format.Source(out.Bytes())
	return text, errors.Join(err, failed)
}

// write writes a Go file by a template.
func write(name, of string, data any) ([]byte, error) {
	text, err := formatted(of, data)
	if err != nil {
		return nil, err
	}
	return text, errors.Join(os.MkdirAll(filepath.Dir(name), 0o777), os.WriteFile(name, text, 0o666))
}

// withdraw takes the markers away for which the generator has errors in the file of aliases. It reports whether there
// were any.
func (p *written) withdraw(err error, lines []string) (some bool) {
	var list generator.Diagnostics
	errors.As(err, &list)
	for _, d := range list {
		if filepath.Base(d.Pos.Filename) != "types.go" || d.Pos.Line < 1 {
			continue
		}
		rest := lines[d.Pos.Line-1:]
		decl := slices.IndexFunc(rest, func(line string) bool { return strings.HasPrefix(line, "type ") })
		if decl < 0 {
			continue
		}
		for _, a := range p.Types[strings.Fields(rest[decl])[1]].answers {
			marker := strings.TrimPrefix(rest[0], "// ")
			has := func(ix *Index) bool { return decl == 0 || slices.Contains(ix.Markers, marker) }
			if slices.ContainsFunc(a.Indexes, has) {
				a.Reason = "the generator refuses " + strings.Join(a.Indexes[0].Markers, " and ") + ": " + d.Message
				a.Indexes, some = nil, true
			}
		}
	}
	return some
}

// A testFile has the tests of one package.
type testFile struct {
	Package, Path string
	Imports       map[string]string // names by path
	Tests         map[string]*function
}

// tests writes compare.go, and a test file for each package with functions that have markers. Tests that cannot call
// the function, as in packages that the aliases import, stand beside the aliases.
func (p *written) tests(dir string, answers []*Answer) (n int, err error) {
	helper := path.Base(p.Path) + "test"
	files := map[string]*testFile{}
	for _, a := range answers {
		if len(a.Indexes) == 0 {
			continue
		}
		f := a.of
		name, pkg := filepath.Join(filepath.Dir(f.in.GoFiles[0]), TestFile), f.in.Name
		if a.Untested = f.Text == "" || p.Imports[f.in.PkgPath] != ""; a.Untested {
			f.Text, f.Imports = "", nil
			name, pkg = filepath.Join(dir, TestFile), path.Base(p.Path)+"_test"
		}
		if files[name] == nil {
			files[name] = &testFile{pkg, p.Path, map[string]string{}, map[string]*function{}}
		}
		tests, test := files[name].Tests, a.alias+"By"+a.Indexes[0].Name
		if tests[test] != nil {
			test += fmt.Sprintf("_%d", len(tests))
		}
		maps.Copy(files[name].Imports, f.Imports)
		tests[test], n = f, n+1
	}
	err = errors.Join(os.MkdirAll(filepath.Join(dir, helper), 0o777), os.WriteFile(
		filepath.Join(dir, helper, "compare.go"), []byte(strings.ReplaceAll(compare, "PACKAGE", helper)), 0o666))
	for name, f := range files {
		_, failed := write(name, "tests", f)
		err = errors.Join(err, failed)
	}
	return n, err
}
