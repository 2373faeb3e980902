// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package generator

import (
	"go/ast"
	"go/constant"
	"go/types"
	"regexp"
	"strconv"

	"sigs.k8s.io/controller-tools/pkg/loader"
	"sigs.k8s.io/controller-tools/pkg/markers"
)

// isGroup matches DNS subdomains, as the API server wants groups to be.
var isGroup = regexp.MustCompile(`^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$`)

// isVersion matches versions as the API server wants them.
var isVersion = regexp.MustCompile(`^v[1-9][0-9]*((alpha|beta)[1-9][0-9]*)?$`)

// groupVersionOf finds the group and version of a package where projects write
// them: +groupName and +versionName; a variable GroupVersion or
// SchemeGroupVersion; a constant GroupName. The version is the package's name if
// nothing else says it. ok is false if no group is named; the group named "" is
// the core group. A variable that says another group than the marker is reported.
func groupVersionOf(p *program, pkg *loader.Package, kube map[ast.Node]markers.MarkerValues) (group, version string, ok bool) {
	for _, file := range pkg.Syntax {
		values := kube[file]
		if v, has := values.Get(groupName).(string); has && ok && v != group {
			p.report.at(file.Name.Pos(), "+groupName=%s contradicts +groupName=%s in another file of the package", v, group)
		}
		if v, has := values.Get(groupName).(string); has && !ok {
			group, ok = v, true
			if group != "" && !isGroup.MatchString(group) {
				p.report.at(file.Name.Pos(), "+groupName=%s is not the name of a group; write it like example.com", group)
			}
		}
		if v, _ := values.Get(versionName).(string); v != "" {
			version = v
		}
	}
	for _, name := range []string{"GroupVersion", "SchemeGroupVersion"} {
		file, lit := variable(pkg, name)
		if lit == nil {
			continue
		}
		for i, elt := range lit.Elts {
			field, expr := [...]string{"Group", "Version"}[min(i, 1)], elt
			if kv, isKV := elt.(*ast.KeyValueExpr); isKV {
				expr = kv.Value
				if key, isName := kv.Key.(*ast.Ident); isName {
					field = key.Name
				}
			}
			value, known := stringValue(pkg, file, expr)
			switch {
			case !known:
			case field == "Group" && !ok:
				group, ok = value, true
			case field == "Group" && value != group:
				p.report.at(elt.Pos(), "the variable %s is of group %q, and +groupName says %q; make them agree", name, value, group)
			case field == "Version" && version == "":
				version = value
			}
		}
	}
	if !ok {
		if c, isConst := pkg.Types.Scope().Lookup("GroupName").(*types.Const); isConst && c.Val().Kind() == constant.String {
			group, ok = constant.StringVal(c.Val()), true
		}
	}
	if version == "" {
		version = pkg.Name
		if !isVersion.MatchString(version) {
			p.report.at(pkg.Syntax[0].Name.Pos(), "the API version of package %s is not named; write // +versionName=v1 above its package clause", pkg.Name)
		}
	}
	return group, version, ok
}

// variable finds the composite literal that a package-level variable begins with.
func variable(pkg *loader.Package, name string) (*ast.File, *ast.CompositeLit) {
	for _, file := range pkg.Syntax {
		for _, decl := range file.Decls {
			d, ok := decl.(*ast.GenDecl)
			if !ok {
				continue
			}
			for _, s := range d.Specs {
				spec, ok := s.(*ast.ValueSpec)
				if !ok {
					continue
				}
				for i, n := range spec.Names {
					if n.Name != name || i >= len(spec.Values) {
						continue
					}
					if lit, ok := spec.Values[i].(*ast.CompositeLit); ok {
						return file, lit
					}
				}
			}
		}
	}
	return nil, nil
}

// stringValue evaluates a constant expression, also one that names a constant of
// a package that no type refers to, and which was not type-checked therefore.
func stringValue(pkg *loader.Package, file *ast.File, expr ast.Expr) (string, bool) {
	if tv := pkg.TypesInfo.Types[expr]; tv.Value != nil && tv.Value.Kind() == constant.String {
		return constant.StringVal(tv.Value), true
	}
	sel, ok := expr.(*ast.SelectorExpr)
	if !ok {
		return "", false
	}
	qualifier, ok := sel.X.(*ast.Ident)
	if !ok {
		return "", false
	}
	for _, spec := range file.Imports {
		path, err := strconv.Unquote(spec.Path.Value)
		imported := pkg.Imports()[path]
		if err != nil || imported == nil {
			continue
		}
		name := imported.Name
		if spec.Name != nil {
			name = spec.Name.Name
		}
		if name != qualifier.Name {
			continue
		}
		imported.NeedTypesInfo()
		if imported.Types == nil {
			continue
		}
		c, ok := imported.Types.Scope().Lookup(sel.Sel.Name).(*types.Const)
		if ok && c.Val().Kind() == constant.String {
			return constant.StringVal(c.Val()), true
		}
	}
	return "", false
}
