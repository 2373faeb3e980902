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
// number of tests, and the answers whose functions no test can call.
func Write(ctx context.Context, dir, output string, answers []*Answer) (tests int, untested []*Answer, err error) {
	w := &writer{dir: dir, output: output}
	if err := w.place(answers); err != nil {
		return 0, nil, err
	}
	aliases := filepath.Join(output, "types.go")
	if _, err := os.Stat(filepath.Join(dir, aliases)); err == nil {
		return 0, nil, fmt.Errorf("%s exists, and may have markers of yours; remove it, or choose another directory", aliases)
	}
	for {
		w.files = map[string][]byte{}
		w.aliases(answers)
		if len(w.types) == 0 {
			return 0, nil, nil
		}
		if err := w.flush(); err != nil {
			return 0, nil, err
		}
		_, err := generator.Run(ctx, generator.Config{Dir: dir, Patterns: []string{w.importPath}, Targets: w.targets(answers)})
		if err == nil {
			break
		}
		if !w.refused(err) {
			return 0, nil, err
		}
	}
	w.files = map[string][]byte{}
	name := path.Base(w.importPath) + "test"
	w.add(filepath.Join(output, name, "compare.go"), strings.ReplaceAll(compare, "PACKAGE", name))
	tests, untested = w.tests(answers)
	return tests, untested, w.flush()
}

type writer struct {
	dir, output string
	importPath  string
	files       map[string][]byte
	types       map[string]string // the names of aliases, by type
	lines       map[int][]*Answer // whose markers stand in a line of the file of aliases
	names       map[string]string // the names of imported packages, by path
	used        map[string]bool   // names of packages
}

// place finds the import path of the output.
func (w *writer) place(answers []*Answer) error {
	at, err := filepath.Abs(filepath.Join(w.dir, w.output))
	if err != nil {
		return err
	}
	for _, a := range answers {
		m := a.reg.in.Module
		if m == nil {
			continue
		}
		if rel, err := filepath.Rel(m.Dir, at); err == nil && !strings.HasPrefix(rel, "..") {
			w.importPath = path.Join(m.Path, filepath.ToSlash(rel))
			return nil
		}
	}
	return fmt.Errorf("%s is in no module of the packages with index functions; choose a directory below their go.mod", w.output)
}

func (w *writer) add(name, text string) {
	out, err := format.Source([]byte(text))
	if err != nil {
		out = []byte(text)
	}
	w.files[name] = out
}

func (w *writer) flush() error {
	for name, text := range w.files {
		name = filepath.Join(w.dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			return err
		}
		if err := os.WriteFile(name, text, 0o666); err != nil {
			return err
		}
	}
	return nil
}

func (w *writer) targets(answers []*Answer) (out []model.Target) {
	for _, a := range answers {
		if t := model.Target(a.Target); len(a.Indexes) > 0 && !slices.Contains(out, t) {
			out = append(out, t)
		}
	}
	return out
}

// imported returns the name under which a package is imported.
func (w *writer) imported(pkg string) string {
	if w.names[pkg] == "" {
		name := importName(pkg)
		for w.used[name] {
			name += "x"
		}
		w.names[pkg], w.used[name] = name, true
	}
	return w.names[pkg]
}

// aliases adds the file of aliases with markers.
func (w *writer) aliases(answers []*Answer) {
	w.types, w.lines, w.names, w.used = map[string]string{}, map[int][]*Answer{}, map[string]string{}, map[string]bool{}
	byType := map[string][]*Answer{}
	for _, a := range answers {
		if len(a.Indexes) > 0 {
			byType[qualified(a)] = append(byType[qualified(a)], a)
		}
	}
	var body []string
	var owners [][]*Answer
	line := func(text string, of ...*Answer) { body, owners = append(body, text), append(owners, of) }
	taken := map[string]bool{}
	for _, t := range slices.Sorted(maps.Keys(byType)) {
		obj := byType[t][0].object.Obj()
		name := obj.Name()
		if taken[name] {
			name += exported(w.imported(obj.Pkg().Path()))
		}
		taken[name] = true
		w.types[t] = name
		line("")
		written := map[string]bool{}
		for _, a := range byType[t] {
			for _, ix := range a.Indexes {
				for _, m := range ix.Markers {
					if !written[m] {
						line("// "+m, a)
					}
					written[m] = true
				}
			}
		}
		line(fmt.Sprintf("type %s = %s.%s", name, w.imported(obj.Pkg().Path()), obj.Name()), byType[t]...)
	}
	head := []string{"// Package " + path.Base(w.importPath) + " has the indexes of the program.", "package " + path.Base(w.importPath), "", "import ("}
	for _, pkg := range slices.Sorted(maps.Keys(w.names)) {
		head = append(head, fmt.Sprintf("\t%s %q", w.names[pkg], pkg))
	}
	head = append(head, ")")
	for i, of := range owners {
		w.lines[len(head)+i+1] = of
	}
	w.add(filepath.Join(w.output, "types.go"), strings.Join(append(head, body...), "\n")+"\n")
}

func qualified(a *Answer) string { return a.object.Obj().Pkg().Path() + "." + a.object.Obj().Name() }

// refused takes the markers away for which the generator has errors. It reports whether there were any.
func (w *writer) refused(err error) bool {
	var list generator.Diagnostics
	if !errors.As(err, &list) {
		return false
	}
	some := false
	for _, d := range list {
		if filepath.Base(d.Pos.Filename) != "types.go" {
			continue
		}
		for _, a := range w.lines[d.Pos.Line] {
			if len(a.Indexes) > 0 {
				a.Reason = "the generator refuses " + strings.Join(a.Indexes[0].Markers, " and ") + ": " + d.Message
			}
			a.Indexes, some = nil, true
		}
	}
	return some
}

// tests adds a test file for each package with functions that have markers.
func (w *writer) tests(answers []*Answer) (n int, untested []*Answer) {
	apis := map[string]bool{}
	for _, a := range answers {
		if len(a.Indexes) > 0 {
			apis[a.object.Obj().Pkg().Path()] = true
		}
	}
	type file struct {
		in      *source
		imports map[string]bool // lines
		body    bytes.Buffer
		names   map[string]int
	}
	files := map[string]*file{}
	for _, a := range answers {
		if len(a.Indexes) == 0 {
			continue
		}
		expr, imports, ok := a.reg.copied()
		in := a.reg.in
		if !ok || apis[in.PkgPath] || a.same {
			if !a.same {
				untested = append(untested, a)
			}
			continue
		}
		f := files[in.PkgPath]
		if f == nil {
			f = &file{in: in, imports: map[string]bool{}, names: map[string]int{}}
			files[in.PkgPath] = f
		}
		for pkg, name := range imports {
			f.imports[fmt.Sprintf("\t%s %q\n", name, pkg)] = true
		}
		alias := w.types[qualified(a)]
		name := "TestMigrated" + alias + "By" + a.Indexes[0].Name
		if f.names[name]++; f.names[name] > 1 {
			name += fmt.Sprint(f.names[name])
		}
		w.test(&f.body, name, a, expr, alias)
		n++
	}
	for _, f := range files {
		var text strings.Builder
		fmt.Fprintf(&text, "package %s\n\nimport (\n\t\"testing\"\n\n\tmigrated %q\n\t\"%s/%stest\"\n", f.in.Name, w.importPath,
			w.importPath, path.Base(w.importPath))
		for _, line := range slices.Sorted(maps.Keys(f.imports)) {
			text.WriteString(line)
		}
		fmt.Fprintf(&text, ")\n%s", &f.body)
		at, _ := filepath.Rel(w.dir, filepath.Dir(f.in.GoFiles[0]))
		w.add(filepath.Join(at, TestFile), text.String())
	}
	return n, untested
}

// test writes one test.
func (w *writer) test(out *bytes.Buffer, name string, a *Answer, expr, alias string) {
	helper := path.Base(w.importPath) + "test"
	o := fmt.Sprintf("%s.Objects{Fields: %#v", helper, a.fields)
	if len(a.words) > 0 {
		o += fmt.Sprintf(", Words: %#v", a.words)
	}
	var distinct, filled []string
	named := false
	for _, ix := range a.Indexes {
		distinct = append(distinct, ix.distinct...)
		filled, named = append(filled, ix.filled...), named || ix.named
	}
	if len(distinct) > 0 {
		o += fmt.Sprintf(", Distinct: %#v", distinct)
	}
	if len(filled) > 0 {
		o += fmt.Sprintf(", Filled: %#v", slices.Compact(slices.Sorted(slices.Values(filled))))
	}
	if named {
		o += ", Named: true"
	}
	param := "obj *migrated." + alias
	result, prefix := "return theirs(obj)", "FieldIndex"
	if a.Target == ClientGo {
		result, prefix = "keys, _ := theirs(obj)\n\t\treturn keys", "CacheIndex"
	}
	fmt.Fprintf(out, "\n// The index %q at %s.\nfunc %s(t *testing.T) {\n\ttheirs := %s\n\t%s.Compare(t, %s},\n\tfunc(%s) []string {\n\t\t%s\n\t},\n\tfunc(%s) (keys []string) {\n",
		a.Index, a.Position, name, expr, helper, o, param, result, param)
	for _, ix := range a.Indexes {
		fmt.Fprintf(out, "\t\tkeys = append(keys, %s.Keys(migrated.%s%sBy%s(nil, obj)", helper, prefix, alias, ix.Name)
		for _, form := range ix.text {
			fmt.Fprintf(out, ", %q", form)
		}
		fmt.Fprint(out, ")...)\n")
	}
	fmt.Fprint(out, "\t\treturn keys\n\t})\n}\n")
}
