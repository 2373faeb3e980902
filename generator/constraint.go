// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package generator

import (
	"go/ast"
	"go/build"
	"go/build/constraint"
	"go/token"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"sigs.k8s.io/controller-tools/pkg/loader"

	"github.com/indexer-gen/indexer-gen/templates/model"
)

// constrain gives an emitted file the build constraint of the types in it, since it does
// not compile where they are missing. Types with different constraints are refused.
func (o *planned) constrain(p *program) {
	var first *model.Type
	for _, t := range o.model.Types {
		root := o.roots[t]
		own := constraintAt(p, o.pkg, root.spec.Pos())
		if root.list != nil && root.list.name.Pkg() == o.pkg.Types {
			if list := constraintAt(p, o.pkg, root.list.name.Pos()); list != own {
				p.report.at(root.spec.Name.Pos(), "%s is built %s, and its list %s %s; give their files the same //go:build line",
					t.Kind, when(own), root.list.name.Name(), when(list))
			}
		}
		for _, ix := range t.Indexes {
			if ix.Kind != model.Funcs {
				continue
			}
			if fn := constraintAt(p, p.checked[ix.Of.Path], o.pos[ix]); fn != own {
				p.report.at(root.spec.Name.Pos(), "%s is built %s, and the function %s, which it is indexed by, %s; give their files the same //go:build line",
					t.Kind, when(own), ix.Of.Name, when(fn))
			}
		}
		switch {
		case first == nil:
			first, o.model.Constraint = t, own
		case own != o.model.Constraint:
			p.report.at(root.spec.Name.Pos(), "%s is built %s, and %s %s, but the code for both goes into one file; give their files the same //go:build line, or move one to another package",
				t.Kind, when(own), first.Kind, when(o.model.Constraint))
		}
	}
}

func when(constraint string) string {
	if constraint == "" {
		return "always"
	}
	return "if " + constraint
}

// constraintAt returns the build constraint of the file that a position is in, or "".
func constraintAt(p *program, pkg *loader.Package, pos token.Pos) string {
	for _, file := range pkg.Syntax {
		if pos < file.FileStart || file.FileEnd < pos {
			continue
		}
		name, native := p.report.fset.File(file.FileStart).Name(), false
		if !slices.Contains(pkg.GoFiles, name) { // what cgo has made of it, in the build cache
			name, native = p.report.fset.Position(file.Package).Filename, true
		}
		return strings.Join(conditions(filepath.Base(name), file, native), " && ")
	}
	return ""
}

// conditions lists all that has to hold for a file to be built, each once: what its name
// says, that it needs cgo, and what its //go:build line says.
func conditions(name string, file *ast.File, native bool) []string {
	all := tagsInName(name)
	if native {
		all = append(all, "cgo")
	}
	for _, group := range file.Comments {
		if group.Pos() > file.Package {
			break
		}
		for _, c := range group.List {
			if !constraint.IsGoBuild(c.Text) {
				continue
			}
			if expr, err := constraint.Parse(c.Text); err == nil {
				all = append(all, conjuncts(expr)...)
			}
		}
	}
	seen := map[string]bool{}
	return slices.DeleteFunc(all, func(one string) bool {
		again := seen[one]
		seen[one] = true
		return again
	})
}

// conjuncts lists what has to hold for an expression to hold.
func conjuncts(expr constraint.Expr) []string {
	switch e := expr.(type) {
	case *constraint.AndExpr:
		return append(conjuncts(e.X), conjuncts(e.Y)...)
	case *constraint.OrExpr:
		return []string{"(" + e.String() + ")"}
	}
	return []string{expr.String()}
}

// tagsInName lists what the name of a file says of where it is built, as build tags:
// types_linux_arm64.go is built for linux and arm64.
func tagsInName(name string) []string {
	name, _, _ = strings.Cut(name, ".")
	words := strings.Split(name, "_")[1:] // what is before the first says nothing
	n := len(words)
	switch {
	case n > 1 && builtFor(words[n-2]) == system && builtFor(words[n-1]) == architecture:
		return words[n-2:]
	case n > 0 && builtFor(words[n-1]) != anything:
		return words[n-1:]
	}
	return nil
}

// platform is what a word at the end of a file's name means to the go command.
type platform int

const (
	anything platform = iota
	system
	architecture
)

// builtFor says what a word means, by how package go/build takes it.
func builtFor(word string) platform {
	built := func(name, goarch string) bool {
		ctx := build.Context{GOOS: "none", GOARCH: goarch, Compiler: "gc", OpenFile: func(string) (io.ReadCloser, error) {
			return io.NopCloser(strings.NewReader("package p\n")), nil
		}}
		ok, err := ctx.MatchFile("", name)
		return ok && err == nil
	}
	switch {
	case built("x_"+word+".go", "none"):
		return anything
	case built("x_"+word+"_386.go", "386"): // before an architecture, only a system counts
		return architecture
	}
	return system
}
