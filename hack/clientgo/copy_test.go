// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package clientgo

import (
	"bytes"
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"testing"
)

const maxPatch = 200 // lines

// tests are client-go's tests after the patch.
type tests struct {
	dir       string              // of the changed files
	functions map[string][]string // names of all top-level functions and methods, by file
}

// copyTests copies the files from the module cache and applies the patch.
func copyTests(t *testing.T, l lists) *tests {
	t.Helper()
	patch, err := os.ReadFile("changes.patch")
	if err != nil {
		t.Fatal(err)
	}
	if n := bytes.Count(patch, []byte("\n")); n > maxPatch {
		t.Errorf("changes.patch has %d lines, more than %d", n, maxPatch)
	}
	upstream := clientGo(t)
	s := &tests{t.TempDir(), make(map[string][]string)}
	for _, file := range l.files {
		text, err := os.ReadFile(filepath.Join(upstream, "tools", "cache", file))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(s.dir, file), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	apply := exec.Command("git", "apply", "--unidiff-zero", "-p1", "-")
	apply.Dir, apply.Stdin = s.dir, bytes.NewReader(patch)
	apply.Env = append(os.Environ(), "GIT_CEILING_DIRECTORIES="+filepath.Dir(s.dir))
	if out, err := apply.CombinedOutput(); err != nil {
		t.Fatalf("changes.patch does not apply: %v\n%s", err, out)
	}
	return s
}

// clientGo returns the directory of client-go in the module cache.
func clientGo(t *testing.T) string {
	t.Helper()
	cmd := exec.Command("go", "mod", "download", "-json", "k8s.io/client-go")
	cmd.Env = append(os.Environ(), "GOWORK=off")
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("client-go is not in the module cache and cannot be downloaded: %v\n%s", err, out)
	}
	var module struct{ Dir string }
	if err := json.Unmarshal(out, &module); err != nil {
		t.Fatal(err)
	}
	return module.Dir
}

// leaveOut writes the files of s to dir without the functions that leave selects. The remaining lines keep
// their numbers.
func (s *tests) leaveOut(t *testing.T, dir string, leave func(name string) bool) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(s.dir, "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		s.functions[filepath.Base(file)] = nil
		fset, parsed := parse(t, file, text)
		for _, decl := range parsed.Decls {
			if f, ok := decl.(*ast.FuncDecl); ok {
				name := nameOf(f)
				s.functions[filepath.Base(file)] = append(s.functions[filepath.Base(file)], name)
				if leave(name) {
					blank(fset, text, f)
				}
			}
		}
		fset, parsed = parse(t, file, text)
		for _, spec := range unused(parsed) {
			blank(fset, text, spec)
		}
		if err := os.WriteFile(filepath.Join(dir, filepath.Base(file)), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

func parse(t *testing.T, file string, text []byte) (*token.FileSet, *ast.File) {
	t.Helper()
	fset := token.NewFileSet()
	parsed, err := parser.ParseFile(fset, file, text, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	return fset, parsed
}

// nameOf returns "Name" of a function and "Receiver.Name" of a method.
func nameOf(f *ast.FuncDecl) string {
	if f.Recv == nil {
		return f.Name.Name
	}
	receiver := f.Recv.List[0].Type
	if star, ok := receiver.(*ast.StarExpr); ok {
		receiver = star.X
	}
	if ident, ok := receiver.(*ast.Ident); ok {
		return ident.Name + "." + f.Name.Name
	}
	return f.Name.Name
}

// blank overwrites node with spaces.
func blank(fset *token.FileSet, text []byte, node ast.Node) {
	from, to := fset.Position(node.Pos()).Offset, fset.Position(node.End()).Offset
	for i := range text[from:to] {
		if text[from+i] != '\n' {
			text[from+i] = ' '
		}
	}
}

// unused returns the imports that file does not use.
func unused(file *ast.File) (unused []*ast.ImportSpec) {
	used := make(map[string]bool)
	ast.Inspect(file, func(n ast.Node) bool {
		if selector, ok := n.(*ast.SelectorExpr); ok {
			if ident, ok := selector.X.(*ast.Ident); ok {
				used[ident.Name] = true
			}
		}
		return true
	})
	for _, spec := range file.Imports {
		if !slices.ContainsFunc(namesOfImport(spec), func(name string) bool { return used[name] }) {
			unused = append(unused, spec)
		}
	}
	return unused
}

var majorVersion = regexp.MustCompile(`^v[0-9]+$`)

// namesOfImport returns the names that an import may have.
func namesOfImport(spec *ast.ImportSpec) []string {
	if spec.Name != nil {
		return []string{spec.Name.Name}
	}
	imported, _ := strconv.Unquote(spec.Path.Value)
	names := []string{path.Base(imported)}
	if majorVersion.MatchString(names[0]) {
		names = append(names, path.Base(path.Dir(imported)))
	}
	return names
}
