// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package plan

import (
	"fmt"
	"go/ast"
	"go/token"
	"strings"

	"github.com/indexer-gen/indexer-gen/generator/internal/load"
	"github.com/indexer-gen/indexer-gen/generator/internal/target"
	"github.com/indexer-gen/indexer-gen/templates/model"
)

// fileDeclaration is the declaration that has an identifier, and the file that declares it.
type fileDeclaration struct {
	model.Declaration
	file *File
}

// Name chooses the identifiers of a file. It reports those that clash with each other, with the destination
// package, or with those of the files in named, which are of other targets.
func (o *File) Name(p *load.Program, named []*File) {
	taken := o.takenIdentifiers(p)
	names, packages := map[string]bool{}, map[string]string{}
	for name := range taken {
		names[name] = true
	}
	for path, pkg := range p.Checked {
		packages[path] = pkg.Name
	}
	model.AssignNames(o.Model, names, packages)
	o.refuseCacheIndexNameClashes(p)
	first := map[string]fileDeclaration{}
	for _, f := range named {
		if f.Dest.Path == o.Dest.Path {
			for _, d := range f.Model.Declared() {
				first[d.String()] = fileDeclaration{d, f}
			}
		}
	}
	for _, d := range o.Model.Declared() {
		if why := o.recordOrClashError(p, d, taken, first); why != "" {
			p.Report.At(o.requesterPos(d), "%s", why)
		}
	}
	if o.Dest.Path != o.Pkg.PkgPath {
		return
	}
	for _, name := range o.Model.Predeclared() {
		if at, ok := taken[name]; ok {
			p.Report.At(at, "the package declares %s, which hides the predeclared %[1]s from emitted code; "+
				"rename it, or emit into another package with -o", name)
			delete(taken, name)
		}
	}
}

// refuseCacheIndexNameClashes reports indexes whose names in the caches of others clash.
func (o *File) refuseCacheIndexNameClashes(p *load.Program) {
	for _, t := range o.Model.Types {
		named := map[string]*model.Index{}
		for _, ix := range t.Indexes {
			if ix.IndexName == "namespace" {
				p.Report.At(o.Pos[ix], "client-go's informers have an index named namespace already; give %s another indexName=", ix.Name)
			}
			if other := named[ix.Field]; other != nil {
				p.Report.At(o.Pos[ix], "%s and %s, the other at %s, are both named %q in caches of other projects; give one another "+
					"indexName=", ix.Name, other.Name, p.Report.Where(o.Pos[other]), ix.Field)
			}
			named[ix.Field] = ix
		}
	}
}

// recordOrClashError returns the reason why a file cannot have an identifier, with the remedy, or "".
func (o *File) recordOrClashError(
	p *load.Program, d model.Declaration, taken map[string]token.Pos, first map[string]fileDeclaration,
) string {
	name := d.String()
	if at, ok := taken[name]; ok {
		return fmt.Sprintf("%s the name %s, which is declared at %s; %s",
			o.requesterNeedsDoc(d), name, p.Report.Where(at), o.clashRemedyDoc(d))
	}
	other, ok := first[name]
	if !ok {
		first[name] = fileDeclaration{d, o}
		return ""
	}
	remedy := "rename one of the types"
	if d.Of != "" || other.Of != "" {
		remedy = "give the index another name="
	}
	same := strings.Replace(o.requesterNeedsDoc(other.Declaration), "needs", "does", 1)
	if other.file != o {
		return fmt.Sprintf("%s the name %s for -target=%s, and so %s for -target=%s; %s, or emit the targets into "+
			"packages of their own with -o", o.requesterNeedsDoc(d), name, o.Model.Target, same, other.file.Model.Target, remedy)
	}
	return fmt.Sprintf("%s the name %s, and so %s; %s", o.requesterNeedsDoc(d), name, same, remedy)
}

// takenIdentifiers returns the positions of the identifiers in the destination package. Methods are
// named Type.Method.
func (o *File) takenIdentifiers(p *load.Program) map[string]token.Pos {
	out := map[string]token.Pos{}
	for _, f := range target.GoFilesIn(p.Report.FileSet, o.Dest.Dir, o.Dest.Name) {
		for _, decl := range f.Decls {
			switch d := decl.(type) {
			case *ast.FuncDecl:
				if d.Recv == nil {
					out[d.Name.Name] = d.Name.Pos()
				} else if receiver := methodReceiverName(d); receiver != "" {
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

// methodReceiverName returns the name of a method's receiver type.
func methodReceiverName(d *ast.FuncDecl) string {
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

// requesterPos returns the position for a clash: the marker or type that requests the name.
func (o *File) requesterPos(d model.Declaration) token.Pos {
	for _, t := range o.Model.Types {
		if t.Kind != d.Type {
			continue
		}
		for _, ix := range t.Indexes {
			if ix.Name == d.Of {
				return o.Pos[ix]
			}
		}
		return o.Roots[t].Spec.Name.Pos()
	}
	return o.Pkg.Syntax[0].Name.Pos()
}

func (o *File) requesterNeedsDoc(d model.Declaration) string {
	switch {
	case d.Of != "":
		return "the index " + d.Of + " of " + d.Type + " needs"
	case d.Type != "":
		return "the type " + d.Type + " needs"
	}
	return "the emitted file needs"
}

func (o *File) clashRemedyDoc(d model.Declaration) string {
	switch {
	case d.Of != "":
		return "give the index another name="
	case o.Dest.Path == o.Pkg.PkgPath:
		return "rename that, or emit into another package with -o"
	}
	return "rename that, or emit into another package"
}

// refuseSameGroupVersionResource reports two kinds with the same resource name.
func (o *File) refuseSameGroupVersionResource(p *load.Program) {
	type resource struct{ group, version, name string }
	first := map[resource]*model.Type{}
	for _, t := range o.Model.Types {
		if t.Converted {
			continue // made of objects that another type may have, too
		}
		r := resource{t.Group, t.Version, t.Resource}
		other := first[r]
		if other == nil {
			first[r] = t
			continue
		}
		at := o.Roots[t].Spec.Name.Pos()
		if o.Roots[t].Named == o.Roots[other].Named {
			p.Report.At(at, "%s and %s are one type; keep the markers on one of them", other.Kind, t.Kind)
			continue
		}
		p.Report.At(at,
			"%s and %s would both be served as %s; name the resource of each with // "+
				"+kubebuilder:resource:path=, or put one into another package",
			other.Kind, t.Kind, t.Resource)
	}
}

// CheckDestinations reports packages that share an output file.
func CheckDestinations(p *load.Program, files []*File) {
	first := map[string]*File{}
	for _, f := range files {
		if other := first[f.Dest.File()]; other != nil {
			p.Report.Add(token.Position{}, fmt.Sprintf(
				"%s and %s would both be written to %s; use {path} in -o, as in -o generated/{path}",
				other.Pkg.PkgPath, f.Pkg.PkgPath, f.Dest.Dir))
			continue
		}
		first[f.Dest.File()] = f
	}
}
