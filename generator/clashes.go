// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package generator

import (
	"fmt"
	"go/ast"
	"go/token"
	"slices"
	"strings"

	"github.com/indexer-gen/indexer-gen/templates/model"
)

// clash is a name that an emitted file needs and cannot have.
type clash struct {
	pos         token.Pos
	of          []model.Declaration // what needs the name, without what is declared by hand
	why, remedy string
}

// name chooses the identifiers of a file and reports those that clash with each other or with
// what the package that it goes to has already. If the file is only explained, types without
// a marker that clash are left out of it instead.
func (o *planned) name(p *program, explained bool) {
	clashes := o.clashes(p)
	for explained && o.leaveOut(clashes) {
		clashes = o.clashes(p)
	}
	if len(o.model.Types) == 0 {
		return // nothing would be emitted
	}
	for _, c := range clashes {
		p.report.at(c.pos, "%s; %s", c.why, c.remedy)
	}
}

// leaveOut removes the types without a marker that have a part in clashes. It reports
// whether there is one.
func (o *planned) leaveOut(clashes []clash) bool {
	before := len(o.model.Types)
	for _, c := range clashes {
		o.model.Types = slices.DeleteFunc(o.model.Types, func(t *model.Type) bool {
			needs := func(d model.Declaration) bool { return d.Type == t.Kind || d.Type == "" }
			if o.marked[o.roots[t]] || !slices.ContainsFunc(c.of, needs) {
				return false
			}
			o.left[o.roots[t].spec.Name.Pos()] = c.why
			return true
		})
	}
	return len(o.model.Types) < before
}

// clashes chooses the identifiers of a file and lists those that it cannot have.
func (o *planned) clashes(p *program) []clash {
	taken := o.taken(p)
	names, packages := map[string]bool{}, map[string]string{}
	for name := range taken {
		names[name] = true
	}
	for path, pkg := range p.checked {
		packages[path] = pkg.Name
	}
	model.AssignNames(o.model, names, packages)
	var out []clash
	first := map[string]model.Declaration{}
	check := func(d model.Declaration, name string) {
		if c := o.refuse(p, d, name, taken, first); c.why != "" {
			c.pos = o.place(d)
			out = append(out, c)
		}
	}
	for _, d := range o.model.Declared() {
		check(d, d.Name)
	}
	for _, m := range o.model.Members() {
		check(m.Declaration, m.Receiver+"."+m.Name)
	}
	if o.dest.path != o.pkg.PkgPath {
		return out
	}
	for _, name := range o.model.Predeclared() {
		if at, ok := taken[name]; ok {
			why := "the package declares " + name + ", by which emitted code means Go's own"
			out = append(out, clash{at, []model.Declaration{{}}, why, "rename it, or emit into another package with -o"})
			delete(taken, name)
		}
	}
	return out
}

// refuse says why a declaration cannot have its name, which is qualified by its receiver if
// it has one. The zero value says that it can.
func (o *planned) refuse(
	p *program, d model.Declaration, name string, taken map[string]token.Pos, first map[string]model.Declaration,
) clash {
	if at, ok := taken[name]; ok {
		why := fmt.Sprintf("%s the name %s, which is declared at %s", o.user(d), name, p.report.where(at))
		return clash{of: []model.Declaration{d}, why: why, remedy: o.remedy(d)}
	}
	other, ok := first[name]
	if !ok {
		first[name] = d
		return clash{}
	}
	remedy := "rename one of the types"
	if d.Of != "" || other.Of != "" {
		remedy = "give the index another name="
	}
	same := strings.Replace(o.user(other), "needs", "does", 1)
	why := fmt.Sprintf("%s the name %s, and so %s", o.user(d), name, same)
	return clash{of: []model.Declaration{d, other}, why: why, remedy: remedy}
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

// sameResource refuses two kinds that would be served as one resource.
func (o *planned) sameResource(p *program) {
	type resource struct{ group, version, name string }
	first := map[resource]*model.Type{}
	for _, t := range o.model.Types {
		r := resource{t.Group, t.Version, t.Resource}
		other := first[r]
		if other == nil {
			first[r] = t
			continue
		}
		at := o.roots[t].spec.Name.Pos()
		if o.roots[t].named == o.roots[other].named {
			p.report.at(at, "%s and %s are one type; keep the markers on one of them", other.Kind, t.Kind)
			continue
		}
		p.report.at(at, "%s and %s would both be served as %s; say how each is by // +kubebuilder:resource:path=", other.Kind, t.Kind, t.Resource)
	}
}

// checkDestinations reports two packages that would go to one file.
func checkDestinations(p *program, files []*planned) {
	first := map[string]*planned{}
	for _, f := range files {
		if other := first[f.dest.file()]; other != nil {
			p.report.add(token.Position{}, fmt.Sprintf("%s and %s would both be written to %s; use {path} in -o, as in -o generated/{path}",
				other.pkg.PkgPath, f.pkg.PkgPath, f.dest.dir))
			continue
		}
		first[f.dest.file()] = f
	}
}
