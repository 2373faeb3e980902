// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package write

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"strings"

	"github.com/indexer-gen/indexer-gen/generator/internal/gotypes"
	"github.com/indexer-gen/indexer-gen/generator/internal/load"
	"github.com/indexer-gen/indexer-gen/generator/internal/plan"
	"github.com/indexer-gen/indexer-gen/generator/internal/target"
)

// Check type-checks an emitted file in memory, together with its destination package. It
// reports the first error, with the line of the emitted file.
//
// The runtime and packages that no type refers to are not loaded. go/types suppresses most
// errors that follow from missing packages, and [unloadedPackageErrors] finds the others. The remaining
// errors are certain: undefined or ambiguous names and mismatched types.
func Check(o *plan.File, p *load.Program, content []byte) error {
	file, err := parser.ParseFile(p.Report.FileSet, o.Dest.File(), content, parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	others := o.Pkg.Syntax
	if o.Dest.Path != o.Pkg.PkgPath {
		others = target.GoFilesIn(p.Report.FileSet, o.Dest.Dir, o.Dest.Name)
	}
	files := []*ast.File{file}
	for _, other := range others {
		files = append(files, fileWithoutBodies(other))
	}
	var found []types.Error
	config := types.Config{Importer: p, FakeImportC: true, Error: func(err error) {
		var bad types.Error
		if errors.As(err, &bad) && file.FileStart <= bad.Pos && bad.Pos <= file.FileEnd {
			found = append(found, bad)
		}
	}}
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}}
	_, _ = config.Check(o.Dest.Path, p.Report.FileSet, files, info) // all errors went to config.Error
	excused := unloadedPackageErrors(file, info)
	for _, bad := range found {
		if excused[bad.Pos] {
			continue
		}
		p.Report.At(o.Pkg.Syntax[0].Name.Pos(),
			"the code emitted for package %s would not compile: %s, in %q; "+
				"that is a fault of indexer-gen, please report it with this message",
			o.Pkg.Name, load.OneLine(bad.Msg), trimmedLineText(content, p.Report.FileSet.Position(bad.Pos).Line))
		break // others often follow from it
	}
	return nil
}

// unloadedPackageErrors returns the positions of errors that may follow from a package that is not
// loaded. These are imports, and selectors on structs that embed a type of such a package.
func unloadedPackageErrors(file *ast.File, info *types.Info) map[token.Pos]bool {
	out := map[token.Pos]bool{}
	for _, s := range file.Imports {
		out[s.Pos()], out[s.Path.Pos()] = true, true
	}
	ast.Inspect(file, func(n ast.Node) bool {
		sel, ok := n.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		if t := info.TypeOf(sel.X); t != nil {
			if st, ok := gotypes.StructOf(t); ok {
				for f := range st.Fields() {
					if f.Embedded() && gotypes.Invalid(f.Type()) {
						out[sel.Sel.Pos()] = true
					}
				}
			}
		}
		return true
	})
	return out
}

// fileWithoutBodies returns a file without function bodies, which do not affect other files.
func fileWithoutBodies(file *ast.File) *ast.File {
	out := *file
	out.Decls = nil
	for _, decl := range file.Decls {
		if d, ok := decl.(*ast.FuncDecl); ok {
			bare := *d
			bare.Body = nil
			decl = &bare
		}
		out.Decls = append(out.Decls, decl)
	}
	return &out
}

// trimmedLineText returns the n-th line of a text, counted from 1, without surrounding space.
func trimmedLineText(text []byte, n int) string {
	lines := strings.Split(string(text), "\n")
	if n < 1 || n > len(lines) {
		return ""
	}
	return strings.TrimSpace(lines[n-1])
}
