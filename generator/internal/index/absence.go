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

// absence is what an absent field of a reference means.
type absence struct {
	value string // the kind, group or namespace
	from  string // what says so
}

// means describes an absence. A nil absence means that nothing says it.
func (a *absence) means(field string) model.Absence {
	switch {
	case a == nil:
		return model.Absence{Field: field, Means: "any " + field}
	case a.value == "" && field == "kind":
		return model.Absence{Field: field, Means: "no reference", From: a.from}
	case a.value == "" && field == "group":
		return model.Absence{Field: field, Means: "the core group", From: a.from}
	}
	return model.Absence{Field: field, Means: a.value, From: a.from}
}

// or returns what an absent field means: a or, if nothing says it, what absent= says. wrong says how they contradict.
func (a *absence) or(field string, said *model.Referent, value func(*model.Referent) string) (_ *absence, wrong string) {
	switch {
	case said != nil && (a == nil || field == "kind" && a.value == ""):
		return &absence{value: value(said), from: "absent="}, ""
	case said != nil && a.value != value(said):
		wrong = fmt.Sprintf("an absent %s is %s by %s; remove absent, or change that", field, a.means(field).Means, a.from)
	}
	return a, wrong
}

// defaultMarker matches a default that is a string literal, or a word without quotes.
var defaultMarker = regexp.MustCompile(
	"^//\\s*\\+(?:kubebuilder:)?default:?=\\s*(?:\"([^\"\\\\]*)\"|`([^`]*)`|'([^']*)'|([\\w./-]+))\\s*$")

// absence returns what an absent field means by its declaration, or nil. A field can be absent if it is a
// pointer or has omitempty. If it cannot be absent, an empty kind is no reference, and an empty group is the core group.
func (r *resolver) absence(v *types.Var, name string) *absence {
	if v.Pkg() == nil || r.p.Checked[v.Pkg().Path()] == nil {
		return nil
	}
	file, f := load.Declaration(r.p.Checked[v.Pkg().Path()], v)
	if f == nil {
		return nil
	}
	var out *absence
	_, pointer := v.Type().Underlying().(*types.Pointer)
	optional := pointer || strings.Contains(loader.ParseAstTag(f.Tag).Get("json"), ",omit")
	if !optional && name != "namespace" {
		out = &absence{from: "the field at " + r.p.Report.Where(v.Pos()) + ", which cannot be absent"}
	}
	served.EachCommentOf(file, f, func(c *ast.Comment, _ bool) {
		if m := defaultMarker.FindStringSubmatch(c.Text); m != nil && optional {
			out = &absence{m[1] + m[2] + m[3] + m[4], "the default at " + r.p.Report.Where(c.Pos())}
		}
	})
	if out != nil && name == "apiVersion" {
		out.value = out.value[:max(0, strings.Index(out.value, "/"))]
	}
	return out
}

const rbacGroup = "rbac.authorization.k8s.io"

// documented holds what an absent group means by the doc comments of reference types of k8s.io/api, by kind.
// The kind "" stands for all.
var documented = map[string]map[string]string{
	"k8s.io/api/core/v1.TypedLocalObjectReference":             {"": ""},
	"k8s.io/api/core/v1.TypedObjectReference":                  {"": ""},
	"k8s.io/api/networking/v1.IngressClassParametersReference": {"": ""},
	"k8s.io/api/rbac/v1.RoleRef":                               {"": rbacGroup},
	"k8s.io/api/rbac/v1.Subject":                               {"ServiceAccount": "", "User": rbacGroup, "Group": rbacGroup},
}

// absentGroup returns what an absent group means in a reference to a kind, or nil.
func (s *shape) absentGroup(kind string) *absence {
	for _, of := range []string{kind, ""} {
		if group, ok := documented[s.documentedBy()][of]; ok {
			return &absence{group, "the documentation of " + s.documentedBy()}
		}
	}
	return s.absent[s.groupName]
}

// documentedBy returns the name of the type that declares the field of the group, or "".
func (s *shape) documentedBy() string {
	if s.group != nil {
		if named, ok := types.Unalias(gotypes.Deref(s.documents)).(*types.Named); ok && named.Obj().Pkg() != nil {
			return named.Obj().Pkg().Path() + "." + named.Obj().Name()
		}
	}
	return ""
}
