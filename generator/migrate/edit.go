// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package migrate

import (
	"bytes"
	"cmp"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"os"
	"path"
	"slices"
	"strings"

	"golang.org/x/tools/go/ast/astutil"
)

// A textEdit puts text in place of a part of a file.
type textEdit struct {
	from, to token.Pos
	newText  string
	tieOrder int // of edits at one place
}

// insertAround appends edits that put texts before and after a part of a file. Parts inside it come later.
func insertAround(edits []textEdit, from, to token.Pos, before, after string) []textEdit {
	n := len(edits) + 1
	return append(edits, textEdit{from, from, before, n}, textEdit{to, to, after, -n})
}

// editedSource returns a part of a file with edits, some of which may be outside the part.
func (p *program) editedSource(from, to token.Pos, edits []textEdit) (string, error) {
	file := p.fset.File(from)
	source, ok := p.overlayWithTests[file.Name()]
	if !ok {
		var err error
		if source, err = os.ReadFile(file.Name()); err != nil {
			return "", err
		}
	}
	edits = slices.DeleteFunc(slices.Clone(edits), func(e textEdit) bool { return e.from < from || to < e.to })
	slices.SortStableFunc(edits, func(a, b textEdit) int { return cmp.Or(int(a.from-b.from), a.tieOrder-b.tieOrder) })
	var out strings.Builder
	for _, e := range append(edits, textEdit{from: to, to: to}) {
		out.Write(source[file.Offset(from):file.Offset(e.from)])
		out.WriteString(e.newText)
		from = e.to
	}
	return out.String(), nil
}

// An editedFile is a file of a package with edits.
type editedFile struct {
	pkg    *sourcePackage
	syntax *ast.File
	edits  []textEdit

	importedPath, importedName string // of a package to import, or ""
}

// editedFiles has files by their names.
type editedFiles map[string]*editedFile

// fileAt returns the file at a position, or nil if the package has none.
func (s *sourcePackage) fileAt(pos token.Pos) *ast.File {
	for _, syntax := range s.Syntax {
		if syntax.FileStart <= pos && pos < syntax.FileEnd {
			return syntax
		}
	}
	return nil
}

// at returns the file at a position, or nil if the package has none.
func (m editedFiles) at(pkg *sourcePackage, pos token.Pos) *editedFile {
	name := pkg.program.fset.File(pos).Name()
	if syntax := pkg.fileAt(pos); m[name] == nil && syntax != nil {
		m[name] = &editedFile{pkg: pkg, syntax: syntax}
	}
	return m[name]
}

// text returns the file with its edits.
func (f *editedFile) text() (string, error) {
	return f.pkg.program.editedSource(f.syntax.FileStart, f.syntax.FileEnd, f.edits)
}

// replace puts text in place of a part of a file. If two different texts are to replace one part, it stays as it is.
func (f *editedFile) replace(from, to token.Pos, newText string) {
	i := slices.IndexFunc(f.edits, func(e textEdit) bool { return e.from == from && e.to == to })
	if i < 0 {
		f.edits = append(f.edits, textEdit{from: from, to: to, newText: newText})
	} else if f.edits[i].newText != newText {
		f.edits[i].newText, _ = f.pkg.program.editedSource(from, to, nil)
	}
}

// isUnchanged reports whether edits put the text of the file in place of itself.
func (f *editedFile) isUnchanged() bool {
	edited, err := f.text()
	before, _ := f.pkg.program.editedSource(f.syntax.FileStart, f.syntax.FileEnd, nil)
	return err == nil && edited == before
}

// useSoleImport returns the name by which the file is to import a package.
func (f *editedFile) useSoleImport(pkgPath string) string {
	if f.importedPath = pkgPath; f.importedName == "" {
		f.importedName = path.Base(pkgPath)
		isUsed := f.pkg.Types.Scope().Lookup(f.importedName) != nil
		for n := range ast.Preorder(f.syntax) {
			id, _ := n.(*ast.Ident)
			isUsed = isUsed || id != nil && id.Name == f.importedName
		}
		if isUsed {
			f.importedName += "pkg"
		}
	}
	return f.importedName
}

// formattedTextWithImports returns the file with its edits, the package that useSoleImport was called for, and without
// the imports that it does not use.
func (f *editedFile) formattedTextWithImports() ([]byte, error) {
	text, err := f.text()
	if err != nil {
		return nil, err
	}
	fset, out := token.NewFileSet(), bytes.Buffer{}
	syntax, err := parser.ParseFile(fset, "", text, parser.ParseComments)
	if err != nil {
		return nil, err
	}
	used := map[string]bool{"_": true, ".": true}
	for n := range ast.Preorder(syntax) {
		if x, ok := n.(*ast.SelectorExpr); ok {
			if id, ok := x.X.(*ast.Ident); ok && id.Obj == nil { // or it is declared in the file
				used[id.Name] = true
			}
		}
	}
	if name := f.importedName; used[name] && name == path.Base(f.importedPath) {
		astutil.AddImport(fset, syntax, f.importedPath)
	} else if used[name] {
		astutil.AddNamedImport(fset, syntax, name, f.importedPath)
	}
	for _, spec := range f.syntax.Imports {
		if name := f.pkg.TypesInfo.PkgNameOf(spec); !used[name.Name()] {
			given := ""
			if spec.Name != nil {
				given = spec.Name.Name
			}
			astutil.DeleteNamedImport(fset, syntax, given, name.Imported().Path())
		}
	}
	err = format.Node(&out, fset, syntax)
	return out.Bytes(), err
}
