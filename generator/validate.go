// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package generator

import (
	"go/ast"
	"go/token"
	"strings"

	"github.com/indexer-gen/indexer-gen/generator/model"
)

// name chooses the identifiers of a file and reports those that clash with each
// other or with what the package that it goes to has already.
func (o *planned) name(p *program) {
	taken := o.taken(p)
	names, packages := map[string]bool{}, map[string]string{}
	for name := range taken {
		names[name] = true
	}
	for path, pkg := range p.checked {
		packages[path] = pkg.Name
	}
	model.AssignNames(o.model, names, packages)
	first := map[string]model.Declaration{}
	for _, d := range o.model.Declared() {
		o.refuse(p, d, d.Name, taken, first)
	}
	for _, m := range o.model.Members() {
		o.refuse(p, m.Declaration, m.Receiver+"."+m.Name, taken, first)
	}
	if o.dest.path != o.pkg.PkgPath {
		return
	}
	for _, name := range o.model.Predeclared() {
		if at, ok := taken[name]; ok {
			p.report.at(at, "the package declares %s, by which emitted code means Go's own; rename it, or emit into another package with -o", name)
			delete(taken, name)
		}
	}
}

// refuse reports a declaration whose name, qualified by its receiver if it has
// one, is taken or is needed twice.
func (o *planned) refuse(p *program, d model.Declaration, name string, taken map[string]token.Pos, first map[string]model.Declaration) {
	if at, ok := taken[name]; ok {
		p.report.at(o.place(d), "%s the name %s, which is declared at %s; %s", o.user(d), name, p.report.where(at), o.remedy(d))
		return
	}
	other, ok := first[name]
	if !ok {
		first[name] = d
		return
	}
	remedy := "rename one of the types"
	if d.Of != "" || other.Of != "" {
		remedy = "give the index another name="
	}
	p.report.at(o.place(d), "%s the name %s, and so %s; %s", o.user(d), name, strings.Replace(o.user(other), "needs", "does", 1), remedy)
}

// taken returns the identifiers of the package that the file goes to, and the
// methods of its types as Type.Method, with their places.
func (o *planned) taken(p *program) map[string]token.Pos {
	out := map[string]token.Pos{}
	for _, f := range goFilesIn(p.report.fset, o.dest.dir, o.dest.name) {
		for _, decl := range f.Decls {
			switch d := decl.(type) {
			case *ast.FuncDecl:
				if d.Recv == nil {
					out[d.Name.Name] = d.Name.Pos()
				} else if receiver := receiverOf(d); receiver != "" {
					out[receiver+"."+d.Name.Name] = d.Name.Pos()
				}
			case *ast.GenDecl:
				for _, s := range d.Specs {
					switch s := s.(type) {
					case *ast.TypeSpec:
						out[s.Name.Name] = s.Name.Pos()
					case *ast.ValueSpec:
						for _, n := range s.Names {
							out[n.Name] = n.Pos()
						}
					}
				}
			}
		}
	}
	delete(out, "_")
	delete(out, "init")
	return out
}

// receiverOf returns the type that a method is declared on.
func receiverOf(d *ast.FuncDecl) string {
	if len(d.Recv.List) != 1 {
		return ""
	}
	expr := d.Recv.List[0].Type
	if star, ok := expr.(*ast.StarExpr); ok {
		expr = star.X
	}
	if id, ok := expr.(*ast.Ident); ok {
		return id.Name
	}
	return ""
}

// place is where a clash is reported: at the marker or type that asks for the name.
func (o *planned) place(d model.Declaration) token.Pos {
	for _, t := range o.model.Types {
		if t.Kind != d.Type {
			continue
		}
		for _, ix := range t.Indexes {
			if ix.Name == d.Of {
				return o.pos[ix]
			}
		}
		return o.roots[t].spec.Name.Pos()
	}
	return o.pkg.Syntax[0].Name.Pos()
}

func (o *planned) user(d model.Declaration) string {
	switch {
	case d.Of != "":
		return "the index " + d.Of + " of " + d.Type + " needs"
	case d.Type != "":
		return "the type " + d.Type + " needs"
	}
	return "the emitted file needs"
}

func (o *planned) remedy(d model.Declaration) string {
	switch {
	case d.Of != "":
		return "give the index another name="
	case o.dest.path == o.pkg.PkgPath:
		return "rename that, or emit into another package with -o"
	}
	return "rename that, or emit into another package"
}
