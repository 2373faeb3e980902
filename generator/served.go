// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package generator

import (
	"go/ast"
	"regexp"
	"slices"
	"strings"

	"sigs.k8s.io/controller-tools/pkg/loader"
	"sigs.k8s.io/controller-tools/pkg/markers"

	"github.com/indexer-gen/indexer-gen/templates/model"
)

// served finds out how the root types of a package are served.
type served struct {
	p    *program
	pkg  *loader.Package
	kube map[ast.Node]markers.MarkerValues
	all  *markers.Collector

	known          bool // group and version have been read
	group, version string
}

// set fills in the group, version, resource and scope of a type.
func (s *served) set(t *model.Type, r *root) {
	if r.home != s.pkg {
		t.Group, t.Version, _ = r.adopt(s.p, s.all)
	} else if why := s.mistakenCopy(r); why != "" {
		s.p.report.at(r.spec.Name.Pos(), "%s", why)
	} else {
		t.Group, t.Version = s.groupVersionOf(r)
	}
	t.Resource, t.Namespaced = resourceOf(r.named.Obj().Name(), r.kube)
	if !isResource.MatchString(t.Resource) {
		remedy := "write letters a to z, digits and dashes, as in path=widgets"
		if lower := strings.ToLower(t.Resource); isResource.MatchString(lower) {
			remedy = "write path=" + lower
		}
		pos := r.place(resourceMark, contains(t.Resource))
		if pos == r.spec.Name.Pos() {
			pos = r.place(resourceName, contains(t.Resource))
		}
		s.p.report.at(pos, "%s is served as %q, which is not the name of a resource; above it, in +kubebuilder:resource, %s", t.Kind, t.Resource, remedy)
	}
	if scope := strangeScope(r.kube); scope != "" {
		s.p.report.at(r.place(resourceMark, contains("scope="+scope)), "+kubebuilder:resource:scope=%s of %s is neither Namespaced nor Cluster%s",
			scope, t.Kind, didYouMean(scope, []string{"Namespaced", "Cluster"}))
	}
}

// groupVersionOf returns the group and version of a type that is declared here: those of
// the package. A slim type most likely stands for one of another group, and may say so.
func (s *served) groupVersionOf(r *root) (group, version string) {
	if r.slim == "" {
		s.read()
		return s.group, s.version
	}
	own := r.ownGroupVersion(s.p)
	if own.group == nil || own.version == nil {
		s.read()
	}
	group, version = s.group, s.version
	if own.group != nil {
		group = *own.group
	}
	if own.version != nil {
		version = *own.version
	}
	return group, version
}

// isResource matches DNS labels, as the API server wants plurals to be.
var isResource = regexp.MustCompile(`^[a-z]([-a-z0-9]*[a-z0-9])?$`)

// read reads the group and version of the package, once, and only if a type of
// its own is emitted.
func (s *served) read() {
	if s.known {
		return
	}
	s.known = true
	s.group, s.version, _ = groupVersionOf(s.p, s.pkg, s.kube)
	if s.version == internalVersion {
		s.p.report.at(s.pkg.Syntax[0].Name.Pos(), "the types of package %s are of the version %s, which an API server has inside and does not serve; write markers on the types of a version that is served", s.pkg.Name, internalVersion)
	}
}

// internalVersion is the version of the types that an API server works with inside, and
// converts others to and from.
const internalVersion = "__internal"

// internal reports whether no type of the package is served, because they are of
// the internal version.
func (s *served) internal() bool {
	_, version, _ := groupVersionOf(s.p.quiet(), s.pkg, s.kube) // who asks for a type is told what is wrong
	return version == internalVersion
}

// withheld says why a type is not taken along that nobody asks for: kubebuilder's markers
// say that its version is not served, or is in no CRD. With +genclient somebody else most
// likely serves the latter, such as an aggregated API server. It is "" if nothing is
// against it.
func (s *served) withheld(r *root) string {
	inPackage := slices.ContainsFunc(s.pkg.Syntax, func(file *ast.File) bool { return len(s.kube[file][skipPackage]) > 0 })
	switch {
	case len(r.kube[unserved]) > 0:
		return "+" + unserved
	case len(r.kube[genclient]) > 0:
		return ""
	case len(r.kube[skipVersion]) > 0:
		return "+" + skipVersion + ", and no +" + genclient
	case inPackage:
		return "+" + skipPackage + " above the package clause, and no +" + genclient
	}
	return ""
}

// unnamed reports whether the package does not say its group and version.
func (s *served) unnamed() bool {
	_, _, ok := groupVersionOf(s.p.quiet(), s.pkg, s.kube) // what is wrong is told of types of its own
	return !ok
}
