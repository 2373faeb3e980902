// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package generator

import (
	"go/ast"
	"go/constant"
	"go/types"
	"regexp"

	"sigs.k8s.io/controller-tools/pkg/loader"
	"sigs.k8s.io/controller-tools/pkg/markers"
)

// isGroup matches DNS subdomains, as the API server wants groups to be.
var isGroup = regexp.MustCompile(`^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$`)

// isVersionLabel matches what the API server takes for a version.
var isVersionLabel = regexp.MustCompile(`^[a-z]([-a-z0-9]*[a-z0-9])?$`)

// isVersion matches versions as Kubernetes orders them by, and as packages are named for.
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
			if version != "" && v != version {
				p.report.at(file.Name.Pos(), "+versionName=%s contradicts +versionName=%s in another file of the package", v, version)
			}
			version = v
			if !isVersionLabel.MatchString(v) {
				p.report.at(file.Name.Pos(), "+versionName=%s is not the name of a version; write it like v1 or v1beta1", v)
			}
		}
	}
	for _, name := range []string{"GroupVersion", "SchemeGroupVersion"} {
		home, file, lit := literal(pkg, name, 0)
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
			value, known := stringValue(home, file, expr)
			switch {
			case !known:
			case field == "Group" && !ok:
				group, ok = value, true
			case field == "Group" && value != group:
				at := elt.Pos()
				if home != pkg {
					at = pkg.Types.Scope().Lookup(name).Pos()
				}
				p.report.at(at, "the variable %s is of group %q, and +groupName says %q; make them agree", name, value, group)
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

// unreadable returns the variable that would name the group if its value could be
// read, or "".
func unreadable(pkg *loader.Package) string {
	for _, name := range []string{"GroupVersion", "SchemeGroupVersion", "GroupName"} {
		if _, ok := pkg.Types.Scope().Lookup(name).(*types.Var); ok {
			return "the variable " + name
		}
	}
	return ""
}
