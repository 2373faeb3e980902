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
	"github.com/indexer-gen/indexer-gen/generator/migrate/internal/learn"
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
		types := aliases(answers)
		if len(types) == 0 {
			return 0, errors.New("no index function has markers, so nothing was written")
		}
		importPath, err := packagePath(to, answers)
		if err != nil {
			return 0, fmt.Errorf("%s %w", output, err)
		}
		cfg := generator.Config{Dir: dir, Patterns: []string{importPath}}
		imports := map[string]string{}
		for _, t := range types {
			for _, a := range t.answers {
				name, _, _ := strings.Cut(a.Type, ".")
				imports[a.object.Obj().Pkg().Path()] = name
				if target := model.Target(a.Target); !slices.Contains(cfg.Targets, target) {
					cfg.Targets = append(cfg.Targets, target)
				}
			}
		}
		text, err := write(file, "types", map[string]any{"Path": importPath, "Imports": imports, "Types": types, "Targets": cfg.Targets})
		if err != nil {
			return 0, err
		}
		if _, err = generator.Run(ctx, cfg); err == nil {
			return writeTests(to, importPath, types, imports)
		}
		if !withdrawn(err, strings.Split(string(text), "\n"), types) {
			return 0, err
		}
	}
}

// packagePath returns the import path of a directory in a module of the answers.
func packagePath(dir string, answers []*Answer) (string, error) {
	for _, a := range answers {
		if m := a.reg.in.Module; m != nil {
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
	if err := templates.ExecuteTemplate(&out, of, data); err != nil {
		return nil, err
	}
	text, err := format.Source(out.Bytes())
	if err != nil {
		return nil, fmt.Errorf("%w in\n%s", err, out.Bytes())
	}
	return text, nil
}

// write writes a Go file by a template.
func write(name, of string, data any) ([]byte, error) {
	text, err := formatted(of, data)
	if err != nil {
		return nil, err
	}
	return text, errors.Join(os.MkdirAll(filepath.Dir(name), 0o777), os.WriteFile(name, text, 0o666))
}

// An alias is the type of objects that have indexes, with markers.
type alias struct {
	Alias, Type string
	Markers     []string
	answers     []*Answer
}

// aliases returns the aliases for answers with markers.
func aliases(answers []*Answer) (out []*alias) {
	for _, a := range answers {
		if len(a.Indexes) == 0 {
			continue
		}
		i := slices.IndexFunc(out, func(t *alias) bool { return t.Type == a.Type })
		if i < 0 {
			i = len(out)
			out = append(out, &alias{Alias: a.alias, Type: a.Type})
		}
		t := out[i]
		t.answers = append(t.answers, a)
		for _, ix := range a.Indexes {
			for _, m := range ix.Markers {
				if !slices.Contains(t.Markers, m) {
					t.Markers = append(t.Markers, m)
				}
			}
		}
	}
	return out
}

// withdrawn takes the markers away for which the generator has errors in the file of aliases. It reports whether there
// were any.
func withdrawn(err error, lines []string, types []*alias) (some bool) {
	var list generator.Diagnostics
	errors.As(err, &list)
	for _, d := range list {
		if filepath.Base(d.Pos.Filename) != "types.go" || d.Pos.Line < 1 {
			continue
		}
		rest := lines[d.Pos.Line-1:]
		decl := slices.IndexFunc(rest, func(line string) bool { return strings.HasPrefix(line, "type ") })
		for _, t := range types {
			if decl < 0 || rest[decl] != "type "+t.Alias+" = "+t.Type {
				continue
			}
			marker := strings.TrimPrefix(rest[0], "// ")
			for _, a := range t.answers {
				has := func(ix *Index) bool { return decl == 0 || slices.Contains(ix.Markers, marker) }
				if slices.ContainsFunc(a.Indexes, has) {
					a.Reason = "the generator refuses " + strings.Join(a.Indexes[0].Markers, " and ") + ": " + d.Message
					a.Indexes, some = nil, true
				}
			}
		}
	}
	return some
}

// A comparison is a test of an index function.
type comparison struct {
	*Answer
	Name, Alias, Function string
	Before                []string // declarations that the function needs
	Rows                  []learn.Row
	Keys                  []string // what the emitted functions return, as arguments of Keys
}

// A testFile has the tests of one package.
type testFile struct {
	Package, Path string
	Imports       map[string]string // names by path
	Tests         []*comparison
}

// writeTests writes compare.go, and a test file for each package with functions that have markers. Tests that cannot call
// the function, as in packages that the aliases import, stand beside the aliases.
func writeTests(dir, importPath string, types []*alias, apis map[string]string) (n int, err error) {
	helper := path.Base(importPath) + "test"
	dir = filepath.Join(dir, helper)
	err = errors.Join(os.MkdirAll(dir, 0o777),
		os.WriteFile(filepath.Join(dir, "compare.go"), []byte(strings.ReplaceAll(compare, "PACKAGE", helper)), 0o666))
	files := map[string]*testFile{}
	for _, t := range types {
		for _, a := range t.answers {
			in, of := a.reg.in, a.asked.Copy
			expr, name, pkg := of.Text, filepath.Join(filepath.Dir(in.GoFiles[0]), TestFile), in.Name
			if a.Untested = expr == "" || apis[in.PkgPath] != ""; a.Untested {
				of, expr = &copied{}, ""
				name, pkg = filepath.Join(filepath.Dir(dir), TestFile), path.Base(importPath)+"_test"
			}
			if files[name] == nil {
				files[name] = &testFile{Package: pkg, Path: importPath, Imports: map[string]string{}}
			}
			f, c := files[name], a.comparison(t.Alias, expr)
			c.Before = of.Before
			switch same := slices.IndexFunc(f.Tests, func(o *comparison) bool { return o.Name == c.Name }); {
			case same >= 0 && f.Tests[same].Function == expr:
				continue
			case same >= 0:
				c.Name += fmt.Sprintf("_%d", len(f.Tests))
			}
			maps.Copy(f.Imports, of.Imports)
			f.Tests, n = append(f.Tests, c), n+1
		}
	}
	for name, f := range files {
		_, failed := write(name, "tests", f)
		err = errors.Join(err, failed)
	}
	return n, err
}

// comparison returns the test of a function.
func (a *Answer) comparison(alias, function string) *comparison {
	c := &comparison{Answer: a, Name: alias + "By" + a.Indexes[0].Name, Alias: alias, Function: function}
	prefix := "FieldIndex"
	if a.Target == ClientGo {
		prefix = "CacheIndex"
	}
	for _, ix := range a.Indexes {
		form := strings.TrimSuffix(strings.TrimPrefix(fmt.Sprintf("%#v", ix.form.Form), "[]string{"), "}")
		c.Keys = append(c.Keys, fmt.Sprintf("migrated.%s%sBy%s(nil, obj), %s", prefix, alias, ix.Name, form))
	}
	c.Rows = a.asked.answer.Rows
	return c
}
