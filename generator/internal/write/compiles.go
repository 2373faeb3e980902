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

// Check type-checks an emitted file in memory, with the package that it goes
// to, and reports what would not compile, once for each type, by the name of the
// type and of the index.
//
// The runtime is not loaded, and neither are other packages that no type refers to.
// go/types is silent about almost all errors that follow from that, and [unknowable]
// finds the others. What is left is certain: names that are missing or mean something
// else, and types that do not fit.
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
		p.Report.At(at, "the code emitted for %s would not compile: %s, in %q; that is a fault of indexer-gen, please report it with this message",
			what, load.OneLine(bad.Msg), line(content, p.Report.FileSet.Position(bad.Pos).Line))
	}
	return nil
}

// unknowable lists the places of errors that may follow from a package which is not
// loaded: imports, and fields and methods of a struct that may have them by
// embedding a type of such a package.
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

// withoutBodies returns a file with the signatures of its functions alone. What
// functions do has no bearing on other files.
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

// whose returns the place of the marker or type that asked for the code at a
// position of the emitted file, and its name.
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
	for _, m := range o.Model.Members() {
		if m.Receiver == receiver && m.Name == name {
			return o.Place(m.Declaration), whom(m.Type, m.Of)
		}
	}
	for _, d := range o.Model.Declared() {
		if d.Name == name || d.Name == receiver {
			return o.Place(d), whom(d.Type, d.Of)
		}
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

// line returns a line of a text, counted from 1, without the space around it.
func line(text []byte, n int) string {
	lines := strings.Split(string(text), "\n")
	if n < 1 || n > len(lines) {
		return ""
	}
	return strings.TrimSpace(lines[n-1])
}
