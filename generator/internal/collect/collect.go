// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package collect

import (
	"go/ast"
	"go/token"
	"maps"
	"slices"

	"sigs.k8s.io/controller-tools/pkg/loader"

	"github.com/indexer-gen/indexer-gen/generator/internal/load"
	"github.com/indexer-gen/indexer-gen/generator/internal/marker"
	"github.com/indexer-gen/indexer-gen/generator/internal/target"
)

// Marker is a parsed +index marker on a type or field.
type Marker struct {
	Name    string // the name of its definition, such as "index:owner"
	Pos     token.Pos
	Options marker.Options
	Refused []marker.Error // errors in its text; its paths are checked all the same
}

// At returns the position of an offset in the marker.
func (m *Marker) At(offset int) token.Pos { return m.Pos + token.Pos(offset) }

// Reported reports whether a word is missing or already has an error.
func (m *Marker) Reported(w marker.Word) bool {
	return w.Text == "" ||
		slices.ContainsFunc(m.Refused, func(e marker.Error) bool { return e.Offset == w.Offset })
}

// FieldMarker is a marker on a struct field.
type FieldMarker struct {
	Marker
	Field  *ast.Field
	Pkg    *loader.Package
	Target bool // in a requested package: a root must reach the field
}

// FuncMarker is a marker on a function.
type FuncMarker struct {
	Marker
	Decl   *ast.FuncDecl
	Pkg    *loader.Package
	Target bool // in a requested package: the function must index a root
}

// Collected holds the markers of a program.
type Collected struct {
	Types  map[*ast.TypeSpec][]*Marker
	Fields map[token.Pos]*FieldMarker // by the position of the field's name in go/types
	Funcs  []*FuncMarker
}

// All collects the markers of the requested packages, and of packages that they import from
// the same modules. Every comment that begins with +index is collected or reported. In test
// files and excluded files, only comments on a declaration are.
func All(p *load.Program, cfg target.Options) *Collected {
	c := &Collected{Types: map[*ast.TypeSpec][]*Marker{}, Fields: map[token.Pos]*FieldMarker{}}
	for _, pkg := range p.Requested {
		reportTestFileMarkers(p, pkg)
		reportExcludedMarkers(p, cfg, pkg)
	}
	for _, path := range slices.Sorted(maps.Keys(p.Checked)) { // determines the order of emitted functions
		pkg := p.Checked[path]
		if !p.SameModule(pkg) {
			continue
		}
		for _, file := range p.Files(pkg) {
			for _, comment := range marker.Comments(p.Report.FileSet, file) {
				switch {
				case comment.Problem != "":
					p.Report.At(comment.Pos, "%s", comment.Problem)
				case !comment.Kube:
					c.parseAndAddMarker(p, pkg, comment, slices.Contains(p.Targets, pkg))
				}
			}
		}
	}
	return c
}

func (c *Collected) parseAndAddMarker(p *load.Program, pkg *loader.Package, comment marker.Comment, inTarget bool) {
	on := comment.On()
	def, options, bad := comment.Parse()
	for _, e := range bad {
		p.Report.At(comment.Pos+token.Pos(e.Offset), "%s", e.Message)
	}
	// a path belongs on a type
	if def == nil || on == marker.OnField && len(bad) > 0 && len(options.Paths()) > 0 {
		return
	}
	m := Marker{Name: def.Name, Pos: comment.Pos, Options: options, Refused: bad}
	switch n := comment.Node.(type) {
	case *ast.TypeSpec:
		for _, other := range c.Types[n] {
			if other.Name == m.Name && len(def.Options) == 0 {
				p.Report.At(m.Pos, "+%s is written twice, the other at %s", m.Name, p.Report.Where(other.Pos))
				return
			}
		}
		c.Types[n] = append(c.Types[n], &m)
	case *ast.FuncDecl:
		if inTarget || !slices.Contains(p.Requested, pkg) {
			c.Funcs = append(c.Funcs, &FuncMarker{Marker: m, Decl: n, Pkg: pkg, Target: inTarget})
		}
	case *ast.Field:
		pos := FieldName(n).Pos()
		if first := c.Fields[pos]; first != nil {
			p.Report.At(m.Pos,
				"the field has two markers, the other at %s; write more indexes on the type, with path=",
				p.Report.Where(first.Pos))
			return
		}
		c.Fields[pos] = &FieldMarker{Marker: m, Field: n, Pkg: pkg, Target: inTarget}
	}
}

// FieldName returns the node whose position go/types uses for a field.
func FieldName(f *ast.Field) ast.Node {
	if len(f.Names) > 0 {
		return f.Names[0]
	}
	expr := f.Type
	for {
		switch e := expr.(type) {
		case *ast.StarExpr:
			expr = e.X
		case *ast.ParenExpr:
			expr = e.X
		case *ast.IndexExpr:
			expr = e.X
		case *ast.IndexListExpr:
			expr = e.X
		case *ast.SelectorExpr:
			return e.Sel
		default:
			return expr
		}
	}
}
