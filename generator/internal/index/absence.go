// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package index

import (
	"fmt"
	"go/ast"
	"go/types"
	"regexp"
	"strings"

	"sigs.k8s.io/controller-tools/pkg/loader"

	"github.com/indexer-gen/indexer-gen/generator/internal/gotypes"
	"github.com/indexer-gen/indexer-gen/generator/internal/load"
	"github.com/indexer-gen/indexer-gen/generator/internal/served"
	"github.com/indexer-gen/indexer-gen/templates/model"
)

// absentMeaning is what an absent field of a reference means.
type absentMeaning struct {
	impliedValue string // the kind, group or namespace
	statedBy     string // what says so
}

// describe describes an absence. A nil absence means that nothing says it.
func (a *absentMeaning) describe(field string) model.Absence {
	switch {
	case a == nil:
		return model.Absence{Field: field, Means: "any " + field}
	case a.impliedValue == "" && field == "kind":
		return model.Absence{Field: field, Means: "no reference", From: a.statedBy}
	case a.impliedValue == "" && field == "group":
		return model.Absence{Field: field, Means: "the core group", From: a.statedBy}
	}
	return model.Absence{Field: field, Means: a.impliedValue, From: a.statedBy}
}

// mergeStatedMeaning returns what an absent field means: a or, if nothing says it, what absent= says. wrong says how they
// contradict.
func (a *absentMeaning) mergeStatedMeaning(
	field string, said *model.Referent, value func(*model.Referent) string,
) (_ *absentMeaning, wrong string) {
	switch {
	case said != nil && (a == nil || field == "kind" && a.impliedValue == ""):
		return &absentMeaning{impliedValue: value(said), statedBy: "absent="}, ""
	case said != nil && a.impliedValue != value(said):
		wrong = fmt.Sprintf("an absent %s is %s by %s; remove absent, or change that", field, a.describe(field).Means, a.statedBy)
	}
	return a, wrong
}

// defaultMarker matches a default that is a string literal, or a word without quotes.
var defaultMarker = regexp.MustCompile(
	"^//\\s*\\+(?:kubebuilder:)?default:?=\\s*(?:\"([^\"\\\\]*)\"|`([^`]*)`|'([^']*)'|([\\w./-]+))\\s*$")

// absenceByDeclaration returns what an absent field means by its declaration, or nil. A field can be absent if it is a
// pointer or has omitempty. If it cannot be absent, an empty kind is no reference, and an empty group is the core
// group.
func (r *resolver) absenceByDeclaration(v *types.Var, jsonName string) *absentMeaning {
	if v.Pkg() == nil || r.program.Checked[v.Pkg().Path()] == nil {
		return nil
	}
	file, f := load.Declaration(r.program.Checked[v.Pkg().Path()], v)
	if f == nil {
		return nil
	}
	var out *absentMeaning
	_, pointer := v.Type().Underlying().(*types.Pointer)
	optional := pointer || strings.Contains(loader.ParseAstTag(f.Tag).Get("json"), ",omit")
	if !optional && jsonName != "namespace" {
		out = &absentMeaning{statedBy: "the field at " + r.program.Report.Where(v.Pos()) + ", which cannot be absent"}
	}
	served.EachCommentOf(file, f, func(c *ast.Comment, _ bool) {
		if m := defaultMarker.FindStringSubmatch(c.Text); m != nil && optional {
			out = &absentMeaning{m[1] + m[2] + m[3] + m[4], "the default at " + r.program.Report.Where(c.Pos())}
		}
	})
	if out != nil && jsonName == "apiVersion" {
		out.impliedValue = groupOfVersion(out.impliedValue)
	}
	return out
}

// groupOfVersion returns the group of an apiVersion.
func groupOfVersion(apiVersion string) string {
	return apiVersion[:max(0, strings.Index(apiVersion, "/"))]
}

const rbacGroup = "rbac.authorization.k8s.io"

// documentedGroups holds what an absent group means by the doc comments of reference types of k8s.io/api, by kind.
// The kind "" stands for all.
var documentedGroups = map[string]map[string]string{
	"k8s.io/api/core/v1.TypedLocalObjectReference":             {"": ""},
	"k8s.io/api/core/v1.TypedObjectReference":                  {"": ""},
	"k8s.io/api/networking/v1.IngressClassParametersReference": {"": ""},
	"k8s.io/api/rbac/v1.RoleRef":                               {"": rbacGroup},
	"k8s.io/api/rbac/v1.Subject":                               {"ServiceAccount": "", "User": rbacGroup, "Group": rbacGroup},
}

// absentGroup returns what an absent group means in a reference to a kind, or nil.
func (s *referenceShape) absentGroup(kind string) *absentMeaning {
	for _, of := range []string{kind, ""} {
		if group, ok := documentedGroups[s.groupDeclarerName()][of]; ok {
			return &absentMeaning{group, "the documentation of " + s.groupDeclarerName()}
		}
	}
	return s.absentMeaningByJSONName[s.groupFieldName]
}

// groupDeclarerName returns the name of the type that declares the field of the group, or "".
func (s *referenceShape) groupDeclarerName() string {
	if s.groupSteps != nil {
		if named, ok := types.Unalias(gotypes.Deref(s.groupDeclarer)).(*types.Named); ok && named.Obj().Pkg() != nil {
			return named.Obj().Pkg().Path() + "." + named.Obj().Name()
		}
	}
	return ""
}
