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

// groupPattern matches API groups, which are DNS subdomains.
var groupPattern = regexp.MustCompile(`^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$`)

// versionLabelPattern matches any version that the API server accepts.
var versionLabelPattern = regexp.MustCompile(`^[a-z]([-a-z0-9]*[a-z0-9])?$`)

// versionPattern matches conventional versions, such as v1 and v1beta1.
var versionPattern = regexp.MustCompile(`^v[1-9][0-9]*((alpha|beta)[1-9][0-9]*)?$`)

// groupOrVersionError returns the reason why name is not a valid group or version, or "". The empty
// name is the core group. The name of the internal version is accepted.
func groupOrVersionError(group bool, name string) string {
	switch {
	case group && name == "core":
		return "is not the name of a group: the core group has the empty name; leave it empty"
	case group && name != "" && (!groupPattern.MatchString(name) || len(name) > 253):
		return "is not the name of a group; write it like example.com"
	case !group && name != internalVersion && (!versionLabelPattern.MatchString(name) || len(name) > 63):
		return "is not the name of a version; write it like v1 or v1beta1"
	}
	return ""
}

// groupOrVersionClaim is one place where a package states its group or version.
type groupOrVersionClaim struct {
	value            string
	claimantOrReason string // its name in messages
	pos              token.Pos
}

// GroupVersionOf returns the group and version of a package. If several places state them,
// the first in this order wins and the others must agree:
//
//	group    +groupName; the Group of the variable GroupVersion, then of
//	         SchemeGroupVersion; if none of them has one, the constant GroupName
//	version  +versionName; the Version of the variable GroupVersion, then of
//	         SchemeGroupVersion; if there is none, the name of the package,
//	         where that is like v1beta1
//
// A variable must lead to a literal, possibly through other variables and packages. Mistakes
// are contradictions, invalid names, and values computed when the program runs. Those values
// are not replaced by the package name or constant, which may differ.
//
// The group "" is the core group; ok is false if the group is unknown. The version is "" if it
// is unknown. Each unknown value adds a mistake.
func GroupVersionOf(
	p *load.Program, pkg *loader.Package, kube map[ast.Node]markers.MarkerValues,
) (group, version string, ok bool, mistakes []diag.Mistake) {
	fail := func(pos token.Pos, format string, args ...any) {
		mistakes = append(mistakes, diag.Mistake{Pos: pos, Message: fmt.Sprintf(format, args...)})
	}
	var groups, versions []groupOrVersionClaim
	for _, m := range locatedPackageMarkers(pkg, kube, marker.GroupName) {
		groups = append(groups, groupOrVersionClaim{m.value, m.String(), m.pos})
	}
	for _, m := range locatedPackageMarkers(pkg, kube, marker.VersionName) {
		versions = append(versions, groupOrVersionClaim{m.value, m.String(), m.pos})
	}
	inVariables, unsaid := variableClaims(pkg)
	groups, versions = append(groups, inVariables["Group"]...), append(versions, inVariables["Version"]...)
	if len(inVariables["Group"]) == 0 && unsaid["Group"].claimantOrReason == "" {
		if c, isConst := pkg.Types.Scope().Lookup("GroupName").(*types.Const); isConst &&
			c.Val().Kind() == constant.String {
			name := constant.StringVal(c.Val())
			groups = append(groups,
				groupOrVersionClaim{name, fmt.Sprintf("the group %q of the constant GroupName", name), c.Pos()})
		}
	}
	mistakes = append(checkClaims(p, groups, true), checkClaims(p, versions, false)...)
	clause := pkg.Syntax[0].Name.Pos()
	switch why := unsaid["Group"]; {
	case len(groups) > 0:
		group, ok = groups[0].value, true
	case why.claimantOrReason != "":
		fail(why.pos, "%s; write // +groupName=example.com above the package clause", why.claimantOrReason)
	default:
		fail(clause,
			"the API group of package %s is not named%s; write // +groupName=example.com above its "+
				"package clause",
			pkg.Name, unusableGroupVarReason(pkg))
	}
	switch why := unsaid["Version"]; {
	case len(versions) > 0:
		version = versions[0].value
	case why.claimantOrReason != "":
		likely := "v1"
		if versionPattern.MatchString(pkg.Name) {
			likely = pkg.Name
		}
		fail(why.pos, "%s; write // +versionName=%s above the package clause", why.claimantOrReason, likely)
	case versionPattern.MatchString(pkg.Name):
		version = pkg.Name
	default:
		fail(clause,
			"the API version of package %s is not named; write // +versionName=v1 above its package clause",
			pkg.Name)
	}
	return group, version, ok, mistakes
}

// checkClaims returns the claims that are invalid names or differ from the first claim.
// It returns one mistake for each position, since two variables may share a literal.
func checkClaims(p *load.Program, claims []groupOrVersionClaim, group bool) (out []diag.Mistake) {
	for _, c := range claims {
		why := groupOrVersionError(group, c.value)
		if why == "" && c.value != claims[0].value {
			why = "contradicts " + claims[0].claimantOrReason + " at " + p.Report.Where(claims[0].pos) +
				"; make them agree"
		}
		if why != "" && !slices.ContainsFunc(out, func(m diag.Mistake) bool { return m.Pos == c.pos }) {
			out = append(out, diag.Mistake{Pos: c.pos, Message: c.claimantOrReason + " " + why})
		}
	}
	return out
}

// unusableGroupVarReason ends a message with the variable that may name the group but cannot be
// evaluated. It returns "" if there is none.
func unusableGroupVarReason(pkg *loader.Package) string {
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
