// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package served

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"regexp"
	"slices"

	"sigs.k8s.io/controller-tools/pkg/loader"
	"sigs.k8s.io/controller-tools/pkg/markers"

	"github.com/indexer-gen/indexer-gen/generator/internal/diag"
	"github.com/indexer-gen/indexer-gen/generator/internal/gotypes"
	"github.com/indexer-gen/indexer-gen/generator/internal/load"
	"github.com/indexer-gen/indexer-gen/generator/internal/marker"
)

// isGroup matches DNS subdomains, as the API server wants groups to be.
var isGroup = regexp.MustCompile(`^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$`)

// isVersionLabel matches what the API server takes for a version.
var isVersionLabel = regexp.MustCompile(`^[a-z]([-a-z0-9]*[a-z0-9])?$`)

// isVersion matches versions as Kubernetes orders them by, and as packages are named for.
var isVersion = regexp.MustCompile(`^v[1-9][0-9]*((alpha|beta)[1-9][0-9]*)?$`)

// wrongName says what keeps a group or a version from being named so, or "". The core
// group has no name; the internal version has one that is no label.
func wrongName(group bool, name string) string {
	switch {
	case group && name != "" && (!isGroup.MatchString(name) || len(name) > 253):
		return "is not the name of a group; write it like example.com"
	case !group && name != internalVersion && (!isVersionLabel.MatchString(name) || len(name) > 63):
		return "is not the name of a version; write it like v1 or v1beta1"
	}
	return ""
}

// claim is one place where a package says its group or its version.
type claim struct {
	value string
	text  string // as messages name it
	pos   token.Pos
}

// GroupVersionOf finds the group and version of a package where projects write them. Of
// several places the first in this order counts, and those after it must agree:
//
//	group    +groupName; the Group of the variable GroupVersion, then of
//	         SchemeGroupVersion; if none of them has one, the constant GroupName
//	version  +versionName; the Version of the variable GroupVersion, then of
//	         SchemeGroupVersion; if there is none, the name of the package,
//	         where that is like v1beta1
//
// Variables are read as far as they are literals, also through other variables and
// packages. What disagrees, or is no name of a group or version, is reported, and so is
// what only running the program would tell: taking the package's name for its version, or
// the constant, which may be a part only, for its group would be guessing. ok is false if
// no group is named; the group named "" is the core group. The version is "" if nothing
// says it. Both are among the mistakes.
func GroupVersionOf(
	p *load.Program, pkg *loader.Package, kube map[ast.Node]markers.MarkerValues,
) (group, version string, ok bool, mistakes []diag.Mistake) {
	fail := func(pos token.Pos, format string, args ...any) {
		mistakes = append(mistakes, diag.Mistake{Pos: pos, Message: fmt.Sprintf(format, args...)})
	}
	var groups, versions []claim
	for _, m := range packageMarkers(pkg, kube, marker.GroupName) {
		groups = append(groups, claim{m.value, m.String(), m.pos})
	}
	for _, m := range packageMarkers(pkg, kube, marker.VersionName) {
		versions = append(versions, claim{m.value, m.String(), m.pos})
	}
	inVariables, unsaid := variableClaims(pkg)
	groups, versions = append(groups, inVariables["Group"]...), append(versions, inVariables["Version"]...)
	if len(inVariables["Group"]) == 0 && unsaid["Group"].text == "" {
		if c, isConst := pkg.Types.Scope().Lookup("GroupName").(*types.Const); isConst && c.Val().Kind() == constant.String {
			name := constant.StringVal(c.Val())
			groups = append(groups, claim{name, fmt.Sprintf("the group %q of the constant GroupName", name), c.Pos()})
		}
	}
	mistakes = append(disagreements(p, groups, true), disagreements(p, versions, false)...)
	clause := pkg.Syntax[0].Name.Pos()
	switch why := unsaid["Group"]; {
	case len(groups) > 0:
		group, ok = groups[0].value, true
	case why.text != "":
		fail(why.pos, "%s; write // +groupName=example.com above the package clause", why.text)
	default:
		fail(clause, "the API group of package %s is not named%s; write // +groupName=example.com above its package clause", pkg.Name, unreadable(pkg))
	}
	switch why := unsaid["Version"]; {
	case len(versions) > 0:
		version = versions[0].value
	case why.text != "":
		likely := "v1"
		if isVersion.MatchString(pkg.Name) {
			likely = pkg.Name
		}
		fail(why.pos, "%s; write // +versionName=%s above the package clause", why.text, likely)
	case isVersion.MatchString(pkg.Name):
		version = pkg.Name
	default:
		fail(clause, "the API version of package %s is not named; write // +versionName=v1 above its package clause", pkg.Name)
	}
	return group, version, ok, mistakes
}

// disagreements returns the claims that are no names, or that are not what the first one
// says. Two variables may be one literal, of which the first claim counts.
func disagreements(p *load.Program, claims []claim, group bool) (out []diag.Mistake) {
	for _, c := range claims {
		why := wrongName(group, c.value)
		if why == "" && c.value != claims[0].value {
			why = "contradicts " + claims[0].text + " at " + p.Report.Where(claims[0].pos) + "; make them agree"
		}
		if why != "" && !slices.ContainsFunc(out, func(m diag.Mistake) bool { return m.Pos == c.pos }) {
			out = append(out, diag.Mistake{Pos: c.pos, Message: c.text + " " + why})
		}
	}
	return out
}

// unreadable says which variable would name the group if its value could be read, as the
// continuation of a message, or "".
func unreadable(pkg *loader.Package) string {
	for _, name := range []string{"GroupVersion", "SchemeGroupVersion", "GroupName"} {
		v, ok := pkg.Types.Scope().Lookup(name).(*types.Var)
		switch {
		case !ok:
		case gotypes.IsText(v.Type()):
			return ": " + name + " is a variable, whose value is not known without running the program"
		default:
			return ": the variable " + name + " has no group"
		}
	}
	return ""
}
