// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package generator

import (
	"go/ast"
	"go/types"
	"maps"
	"slices"
	"strings"

	"sigs.k8s.io/controller-tools/pkg/loader"
	"sigs.k8s.io/controller-tools/pkg/markers"
)

// notAliased says why an alias with a marker gives no root type: for the reason
// that its type is none, if there is one, or because that is not a foreign one.
func (p *program) notAliased(pkg *loader.Package, spec *ast.TypeSpec, obj *types.TypeName, why string) string {
	sel, isSelector := spec.Type.(*ast.SelectorExpr)
	named, isNamed := types.Unalias(obj.Type()).(*types.Named)
	switch {
	case invalid(obj.Type()) && isSelector:
		_, message := p.whyUnresolved(pkg, fileOf(pkg, spec), sel)
		return "it is an alias of " + types.ExprString(sel) + ", and " + message
	case invalid(obj.Type()):
		return "it is an alias of " + types.ExprString(spec.Type) + ", which cannot be resolved"
	case !isNamed || named.Obj().Pkg() == nil:
		return "it is an alias of " + types.ExprString(spec.Type) + ", which is no root type"
	case spec.TypeParams != nil || named.TypeArgs().Len() > 0:
		return "it has type parameters"
	case named.Obj().Pkg() == pkg.Types:
		return "it is an alias of " + named.Obj().Name() + " in the same package; write the marker there"
	case why != "":
		return "it is an alias of " + types.ExprString(spec.Type) + ": " + why
	case p.checked[named.Obj().Pkg().Path()] == nil:
		return "the package of " + types.ExprString(spec.Type) + " cannot be loaded"
	}
	return ""
}

func fileOf(pkg *loader.Package, node ast.Node) *ast.File {
	i := slices.IndexFunc(pkg.Syntax, func(f *ast.File) bool { return f.Pos() <= node.Pos() && node.Pos() < f.End() })
	if i < 0 {
		return &ast.File{}
	}
	return pkg.Syntax[i]
}

// adopt reads what the package of an aliased type says of it. What markers on the
// alias say holds instead: +kubebuilder:resource, +genclient:nonNamespaced, and in
// its doc comment also +groupName and +versionName.
func (r *root) adopt(p *program, all *markers.Collector) (group, version string, ok bool) {
	foreign, err := all.MarkersInPackage(r.home)
	if err != nil {
		foreign = map[ast.Node]markers.MarkerValues{} // nothing that anyone here could mend
	}
	quiet := *p
	quiet.report = &reporter{dir: p.report.dir, fset: p.report.fset}
	group, version, ok = groupVersionOf(&quiet, r.home, foreign)
	kube := maps.Clone(foreign[specs(r.home)[r.named.Obj().Name()]])
	if kube == nil {
		kube = markers.MarkerValues{}
	}
	for name, values := range r.kube {
		if name == resourceMark {
			values = append(slices.Clone(kube[name]), values...) // its options count one by one
		}
		kube[name] = values
	}
	r.kube = kube
	own := r.ownGroupVersion(p)
	if own.group != nil {
		group, ok = *own.group, true
	}
	if own.version != nil {
		version = *own.version
	}
	name := types.ExprString(r.spec.Type)
	if !ok {
		p.report.at(r.spec.Name.Pos(), "package %s does not say the API group of %s; write // +groupName=example.com above %s", r.home.PkgPath, name, r.obj.Name())
	}
	if own.version == nil && !isVersion.MatchString(version) {
		p.report.at(r.spec.Name.Pos(), "package %s does not say the API version of %s; write // +versionName=v1 above %s", r.home.PkgPath, name, r.obj.Name())
	}
	return group, version, ok
}

// groupVersion is what the comment of a type says of how it is served; nil is nothing.
type groupVersion struct{ group, version *string }

// ownGroupVersion reads +groupName and +versionName in the comment of an alias or a slim
// type, and reports what is no name of a group or version.
func (r *root) ownGroupVersion(p *program) (own groupVersion) {
	for _, line := range docOf(fileOf(r.pkg, r.spec), r.spec) {
		if v, has := strings.CutPrefix(line, "+"+groupName+"="); has {
			own.group = &v
		}
		if v, has := strings.CutPrefix(line, "+"+versionName+"="); has {
			own.version = &v
		}
	}
	if own.group != nil && *own.group != "" && !isGroup.MatchString(*own.group) {
		p.report.at(r.spec.Name.Pos(), "+groupName=%s is not the name of a group; write it like example.com", *own.group)
	}
	if own.version != nil && !isVersionLabel.MatchString(*own.version) {
		p.report.at(r.spec.Name.Pos(), "+versionName=%s is not the name of a version; write it like v1 or v1beta1", *own.version)
	}
	return own
}

// docOf returns the lines of the doc comment of a type.
func docOf(file *ast.File, spec *ast.TypeSpec) []string {
	for _, a := range anchorsOf(file) {
		if a.node != spec || a.doc == nil {
			continue
		}
		var out []string
		for _, c := range a.doc.List {
			out = append(out, strings.TrimSpace(strings.TrimPrefix(c.Text, "//")))
		}
		return out
	}
	return nil
}
