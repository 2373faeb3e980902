// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package write

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/indexer-gen/indexer-gen/generator/internal/gotypes"
	"github.com/indexer-gen/indexer-gen/generator/internal/load"
	"github.com/indexer-gen/indexer-gen/generator/internal/plan"
	"github.com/indexer-gen/indexer-gen/generator/internal/target"
	"github.com/indexer-gen/indexer-gen/templates/model"
)

// Check type-checks an emitted file in memory, together with its destination package. It
// reports one error for each type, naming the type and the index.
//
// The runtime and packages that no type refers to are not loaded. go/types suppresses most
// errors that follow from missing packages, and [unknowable] finds the others. The remaining
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
		files = append(files, withoutBodies(other))
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
	excused := unknowable(file, info)
	reported := map[token.Pos]bool{}
	for _, bad := range found {
		if excused[bad.Pos] {
			continue
		}
		at, what := whose(o, file, bad.Pos)
		if reported[at] {
			continue
		}
		reported[at] = true
		p.Report.At(at,
			"the code emitted for %s would not compile: %s, in %q; "+
				"that is a fault of indexer-gen, please report it with this message",
			what, load.OneLine(bad.Msg), line(content, p.Report.FileSet.Position(bad.Pos).Line))
	}
	return nil
}

// unknowable returns the positions of errors that may follow from a package that is not
// loaded. These are imports, and selectors on structs that embed a type of such a package.
func unknowable(file *ast.File, info *types.Info) map[token.Pos]bool {
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

// withoutBodies returns a file without function bodies, which do not affect other files.
func withoutBodies(file *ast.File) *ast.File {
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

// whose returns the marker or type that requested the code at pos in the emitted file: its
// position and its name.
func whose(o *plan.File, file *ast.File, pos token.Pos) (token.Pos, string) {
	name, receiver := "", ""
	for _, decl := range file.Decls {
		if pos < decl.Pos() || decl.End() < pos {
			continue
		}
		switch d := decl.(type) {
		case *ast.FuncDecl:
			name = d.Name.Name
			if d.Recv != nil {
				receiver = plan.ReceiverOf(d)
			}
		case *ast.GenDecl:
			for _, s := range d.Specs {
				switch s := s.(type) {
				case *ast.TypeSpec:
					name = s.Name.Name
				case *ast.ValueSpec:
					name = s.Names[0].Name
				}
			}
		}
	}
	all := o.Model.Declared()
	i := slices.IndexFunc(all, func(d model.Declaration) bool { return d.Receiver == receiver && d.Name == name })
	if i < 0 { // a method that every type of its kind has
		i = slices.IndexFunc(all, func(d model.Declaration) bool { return d.Receiver == "" && d.Name == receiver })
	}
	if i >= 0 {
		return o.Place(all[i]), whom(all[i].Type, all[i].Of)
	}
	return o.Pkg.Syntax[0].Name.Pos(), "package " + o.Pkg.Name
}

func whom(kind, index string) string {
	switch {
	case index != "":
		return "the index " + index + " of " + kind
	case kind != "":
		return kind
	}
	return "the package"
}

// line returns the n-th line of a text, counted from 1, without surrounding space.
func line(text []byte, n int) string {
	lines := strings.Split(string(text), "\n")
	if n < 1 || n > len(lines) {
		return ""
	}
	return strings.TrimSpace(lines[n-1])
}
