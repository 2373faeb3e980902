// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package generator

import (
	"go/ast"
	"go/token"
	"maps"
	"slices"

	"sigs.k8s.io/controller-tools/pkg/loader"
)

// marker is a parsed +index marker on a type or field.
type marker struct {
	name    string // of its definition: "index:owner"
	pos     token.Pos
	options givenOptions
	refused []markerError // what is wrong with its text; what it is on and its paths are looked at all the same
}

// at returns where a word of the marker stands.
func (m *marker) at(offset int) token.Pos { return m.pos + token.Pos(offset) }

// told reports whether something is said of a word already, or it is not there at all.
func (m *marker) told(w word) bool {
	return w.text == "" || slices.ContainsFunc(m.refused, func(e markerError) bool { return e.offset == w.offset })
}

// fieldMarker is a marker on a struct field.
type fieldMarker struct {
	marker
	field  *ast.Field
	pkg    *loader.Package
	target bool // in a package asked for, so that some root must reach it
}

// funcMarker is a marker on a function.
type funcMarker struct {
	marker
	decl   *ast.FuncDecl
	pkg    *loader.Package
	target bool // in a package asked for; in another one it counts for no root of this run
}

// collected are the markers of a program.
type collected struct {
	types  map[*ast.TypeSpec][]*marker
	fields map[token.Pos]*fieldMarker // by the position of the field's name, as go/types has it
	funcs  []*funcMarker
}

// collect finds and parses the markers of the packages asked for, and of those
// they import from the same modules. Every comment that begins with +index is
// either in the result or reported; in test files and those that the build leaves out,
// those that stand on something.
func collect(p *program, cfg options) *collected {
	c := &collected{types: map[*ast.TypeSpec][]*marker{}, fields: map[token.Pos]*fieldMarker{}}
	for _, pkg := range p.asked {
		testFiles(p, pkg)
		excluded(p, cfg, pkg)
	}
	for _, path := range slices.Sorted(maps.Keys(p.checked)) { // functions are emitted in this order
		pkg := p.checked[path]
		if !p.sameModule(pkg) {
			continue
		}
		for _, file := range p.files(pkg) {
			for _, comment := range markerComments(p.report.fset, file) {
				switch {
				case comment.problem != "":
					p.report.at(comment.pos, "%s", comment.problem)
				case !comment.kube:
					c.add(p, pkg, comment, slices.Contains(p.targets, pkg))
				}
			}
		}
	}
	return c
}

func (c *collected) add(p *program, pkg *loader.Package, comment markerComment, inTarget bool) {
	on := comment.on()
	def, options, bad := comment.parse()
	for _, e := range bad {
		p.report.at(comment.pos+token.Pos(e.offset), "%s", e.message)
	}
	if def == nil || on == onField && len(bad) > 0 && len(options.paths()) > 0 { // the latter is meant for a type
		return
	}
	m := marker{name: def.name, pos: comment.pos, options: options, refused: bad}
	switch n := comment.node.(type) {
	case *ast.TypeSpec:
		for _, other := range c.types[n] {
			if other.name == m.name && len(def.options) == 0 {
				p.report.at(m.pos, "+%s is there twice, the other at %s", m.name, p.report.where(other.pos))
				return
			}
		}
		c.types[n] = append(c.types[n], &m)
	case *ast.FuncDecl:
		if inTarget || !slices.Contains(p.asked, pkg) {
			c.funcs = append(c.funcs, &funcMarker{marker: m, decl: n, pkg: pkg, target: inTarget})
		}
	case *ast.Field:
		pos := fieldName(n).Pos()
		if first := c.fields[pos]; first != nil {
			p.report.at(m.pos, "the field has two markers, the other at %s; write more indexes on the type, with path=", p.report.where(first.pos))
			return
		}
		c.fields[pos] = &fieldMarker{marker: m, field: n, pkg: pkg, target: inTarget}
	}
}

// fieldName returns the node at which go/types positions a field.
func fieldName(f *ast.Field) ast.Node {
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
