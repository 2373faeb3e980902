// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package load

import (
	"go/ast"
	"go/token"
	"slices"
	"strconv"
	"strings"

	"sigs.k8s.io/controller-tools/pkg/loader"

	"github.com/indexer-gen/indexer-gen/generator/internal/gotypes"
	"github.com/indexer-gen/indexer-gen/generator/internal/marker"
)

// UnresolvedBases reports the types that embed TypeMeta, ObjectMeta, ListMeta or slim.Meta
// of a package that could not be loaded, and puts their packages aside. Without these
// nothing is a root type, and whatever else could be said would follow from that and
// be wrong.
func UnresolvedBases(p *Program, all func(*loader.Package) bool) {
	for _, pkg := range slices.Clone(p.Targets) {
		before := len(p.Report.List)
		if !all(pkg) && !slices.ContainsFunc(pkg.Syntax, p.marked) {
			continue
		}
		for _, file := range pkg.Syntax {
			p.unresolvedAliases(pkg, file)
			reported := map[token.Pos]bool{}
			ast.Inspect(file, func(n ast.Node) bool {
				field, ok := n.(*ast.Field)
				if !ok || len(field.Names) > 0 {
					return true
				}
				sel, ok := field.Type.(*ast.SelectorExpr)
				if !ok || homeOf(sel) == "" {
					return true
				}
				if t := pkg.TypesInfo.TypeOf(sel); t == nil || !gotypes.Invalid(t) { // nil: it is in the body of a function
					return true
				}
				pos, message := p.WhyUnresolved(pkg, file, sel)
				if !reported[pos] {
					reported[pos] = true
					p.Report.At(pos, "%s", message)
				}
				return true
			})
		}
		if len(p.Report.List) > before {
			p.putAside(pkg)
		}
	}
}

// unresolvedAliases reports the same of types that marked aliases of a file stand for. They
// are declared in other packages, whose imports could not be loaded: that is reported at
// the import of such a package.
func (p *Program) unresolvedAliases(pkg *loader.Package, file *ast.File) {
	for _, m := range marker.Comments(p.Report.FileSet, file) {
		spec, ok := m.Node.(*ast.TypeSpec)
		if !ok || !spec.Assign.IsValid() {
			continue
		}
		alias, ok := spec.Type.(*ast.SelectorExpr)
		if !ok {
			continue
		}
		at, home := ImportOf(pkg, file, alias)
		if home == nil || p.Checked[home.PkgPath] == nil {
			continue // that the alias itself cannot be resolved is said where it is read
		}
		declared := Specs(home)[alias.Sel.Name]
		if declared == nil {
			continue
		}
		st, ok := declared.Type.(*ast.StructType)
		if !ok {
			continue
		}
		for _, field := range st.Fields.List {
			sel, ok := field.Type.(*ast.SelectorExpr)
			if !ok || len(field.Names) > 0 || homeOf(sel) == "" {
				continue
			}
			if t := home.TypesInfo.TypeOf(sel); t == nil || !gotypes.Invalid(t) {
				continue
			}
			_, message := p.WhyUnresolved(home, FileOf(home, sel), sel)
			p.Report.At(at.Pos(), "the types of %s cannot be resolved: %s", home.PkgPath, message)
			break
		}
	}
}

// homeOf returns the path of the package, metav1 or slim, whose base a qualified name is;
// "" if it is none.
func homeOf(sel *ast.SelectorExpr) string {
	switch sel.Sel.Name {
	case "TypeMeta", "ObjectMeta", "ListMeta":
		return gotypes.MetaV1Path
	case "Meta", "Labeled":
		if qualifier, ok := sel.X.(*ast.Ident); ok && qualifier.Name == "slim" {
			return gotypes.SlimPath
		}
	}
	return ""
}

// marked reports whether a file has a marker that asks for an index.
func (p *Program) marked(file *ast.File) bool {
	return len(marker.Comments(p.Report.FileSet, file)) > 0
}

// WhyUnresolved says why a type of another package is not known, and where that
// is to be mended: at the import, if the package could not be loaded.
func (p *Program) WhyUnresolved(pkg *loader.Package, file *ast.File, sel *ast.SelectorExpr) (token.Pos, string) {
	if spec, imported := ImportOf(pkg, file, sel); spec != nil {
		path, _ := strconv.Unquote(spec.Path.Value)
		if imported != nil {
			if why := p.whyUnloaded(imported); why != "" {
				return spec.Pos(), why
			}
		}
		message := "package " + path + " has no type " + sel.Sel.Name
		if homeOf(sel) == gotypes.MetaV1Path {
			message += "; metav1 is " + gotypes.MetaV1Path
		}
		return sel.Pos(), message
	}
	message := "the type " + qualifierOf(sel) + sel.Sel.Name + " cannot be resolved; "
	if home := homeOf(sel); home != "" {
		return sel.Pos(), message + "import " + home
	}
	return sel.Pos(), message + "import its package"
}

func qualifierOf(sel *ast.SelectorExpr) string {
	if id, ok := sel.X.(*ast.Ident); ok {
		return id.Name + "."
	}
	return ""
}

// OneLine joins the lines of a message of the go command.
func OneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// ImportOf returns the import of the package that sel names, and the package if it
// is known; nil if no import has its name.
func ImportOf(pkg *loader.Package, file *ast.File, sel *ast.SelectorExpr) (*ast.ImportSpec, *loader.Package) {
	qualifier, _ := sel.X.(*ast.Ident)
	for _, spec := range file.Imports {
		path, err := strconv.Unquote(spec.Path.Value)
		if err != nil || qualifier == nil {
			continue
		}
		imported := pkg.Imports()[path]
		known := path[strings.LastIndex(path, "/")+1:]
		if imported != nil && imported.Name != "" {
			known = imported.Name
		}
		if spec.Name != nil {
			known = spec.Name.Name
		}
		if known == qualifier.Name {
			return spec, imported
		}
	}
	return nil, nil
}

func FileOf(pkg *loader.Package, node ast.Node) *ast.File {
	i := slices.IndexFunc(pkg.Syntax, func(f *ast.File) bool { return f.Pos() <= node.Pos() && node.Pos() < f.End() })
	if i < 0 {
		return &ast.File{}
	}
	return pkg.Syntax[i]
}
