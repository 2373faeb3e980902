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

// UnresolvedBases reports types that embed an unresolved TypeMeta, ObjectMeta, ListMeta or
// slim.Meta, and excludes their packages. No root type can be found without these, so
// any later error would mislead. Packages without markers count only if all is true.
func UnresolvedBases(p *Program, all bool) {
	for _, pkg := range slices.Clone(p.Targets) {
		before := len(p.Report.List)
		if !all && !slices.ContainsFunc(pkg.Syntax, p.hasMarkerLikeComment) {
			continue
		}
		for _, file := range pkg.Syntax {
			p.reportUnresolvedAliasBases(pkg, file)
			reported := map[token.Pos]bool{}
			ast.Inspect(file, func(n ast.Node) bool {
				field, ok := n.(*ast.Field)
				if !ok || len(field.Names) > 0 {
					return true
				}
				sel, ok := field.Type.(*ast.SelectorExpr)
				if !ok || baseTypeImportPath(sel) == "" {
					return true
				}
				// nil: inside a function body
				if t := pkg.TypesInfo.TypeOf(sel); t == nil || !gotypes.Invalid(t) {
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
			p.removeFromTargets(pkg)
		}
	}
}

// reportUnresolvedAliasBases does the same for the types behind marked aliases. These types are
// declared in other packages, so the error is reported at the import of that package.
func (p *Program) reportUnresolvedAliasBases(pkg *loader.Package, file *ast.File) {
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
			continue // package served reports the unresolved alias
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
			if !ok || len(field.Names) > 0 || baseTypeImportPath(sel) == "" {
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

// baseTypeImportPath returns the import path of metav1 or slim if sel names one of their base types,
// or "".
func baseTypeImportPath(sel *ast.SelectorExpr) string {
	switch sel.Sel.Name {
	case "TypeMeta", "ObjectMeta", "ListMeta":
		return gotypes.MetaV1Path
	case "Meta", "Labeled", "Annotated":
		if qualifier, ok := sel.X.(*ast.Ident); ok && qualifier.Name == "slim" {
			return gotypes.SlimPath
		}
	}
	return ""
}

// hasMarkerLikeComment reports whether a file has a marker that requests an index.
func (p *Program) hasMarkerLikeComment(file *ast.File) bool {
	return len(marker.Comments(p.Report.FileSet, file)) > 0
}

// WhyUnresolved returns the reason why a type of another package is unresolved, and the
// position to fix. If the package could not be loaded, that is the import.
func (p *Program) WhyUnresolved(
	pkg *loader.Package, file *ast.File, sel *ast.SelectorExpr,
) (token.Pos, string) {
	if spec, imported := ImportOf(pkg, file, sel); spec != nil {
		path, _ := strconv.Unquote(spec.Path.Value)
		if imported != nil {
			if why := p.loadError(imported); why != "" {
				return spec.Pos(), why
			}
		}
		message := "package " + path + " has no type " + sel.Sel.Name
		if baseTypeImportPath(sel) == gotypes.MetaV1Path {
			message += "; metav1 is " + gotypes.MetaV1Path
		}
		return sel.Pos(), message
	}
	message := "the type " + qualifierPrefix(sel) + sel.Sel.Name + " cannot be resolved; "
	if home := baseTypeImportPath(sel); home != "" {
		return sel.Pos(), message + "import " + home
	}
	return sel.Pos(), message + "import its package"
}

func qualifierPrefix(sel *ast.SelectorExpr) string {
	if id, ok := sel.X.(*ast.Ident); ok {
		return id.Name + "."
	}
	return ""
}

// OneLine joins the lines of a message from the go command.
func OneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// ImportOf returns the import that the qualifier of sel refers to, and its package if
// loaded. It returns nil if no import has that name.
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

// FileOf returns the file of the package that contains node, or an empty file.
func FileOf(pkg *loader.Package, node ast.Node) *ast.File {
	i := slices.IndexFunc(pkg.Syntax, func(f *ast.File) bool {
		return f.Pos() <= node.Pos() && node.Pos() < f.End()
	})
	if i < 0 {
		return &ast.File{}
	}
	return pkg.Syntax[i]
}
