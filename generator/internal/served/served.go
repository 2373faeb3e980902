// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package served

import (
	"go/ast"
	"regexp"

	"sigs.k8s.io/controller-tools/pkg/loader"
	"sigs.k8s.io/controller-tools/pkg/markers"

	"github.com/indexer-gen/indexer-gen/generator/internal/diag"
	"github.com/indexer-gen/indexer-gen/generator/internal/load"
	"github.com/indexer-gen/indexer-gen/generator/internal/marker"
	"github.com/indexer-gen/indexer-gen/templates/model"
)

// Package determines how the root types of a package are served.
type Package struct {
	Program *load.Program
	Pkg     *loader.Package
	Kube    map[ast.Node]markers.MarkerValues
	All     *markers.Collector

	isGroupVersionRead         bool // group and version are set
	groupIfRead, versionIfRead string
}

// Set sets the group, version, resource and scope of t, and reports errors in them.
func (s *Package) Set(t *model.Type, r *Root) {
	if r.Home != s.Pkg {
		t.Group, t.Version, _ = r.adoptAliasedMarkers(s.Program, s.All)
	} else if why := s.unservedCopyError(r); why != "" {
		s.Program.Report.At(r.Spec.Name.Pos(), "%s", why)
	} else {
		t.Group, t.Version = s.checkedGroupVersionOf(r)
	}
	t.Resource, t.Namespaced = ResourceOf(r.Named.Obj().Name(), r.Kube)
	if !resourcePattern.MatchString(t.Resource) {
		pos := r.Place(marker.ResourceMark, containsText(t.Resource))
		if pos == r.Spec.Name.Pos() {
			pos = r.Place(marker.ResourceName, containsText(t.Resource))
		}
		s.Program.Report.At(pos, "%s is served as %q, which is not the name of a resource; "+
			"write path= in +kubebuilder:resource above it, with letters a to z, digits and dashes", t.Kind,
			t.Resource)
	}
	if scope := firstInvalidScope(r.Kube); scope != "" {
		s.Program.Report.At(r.Place(marker.ResourceMark, containsText("scope="+scope)),
			"+kubebuilder:resource:scope=%s of %s is neither Namespaced nor Cluster%s",
			scope, t.Kind, diag.DidYouMean(scope, []string{"Namespaced", "Cluster"}))
	}
}

// checkedGroupVersionOf returns the group and version of a type of this package: those in its doc comment,
// or else those of the package.
func (s *Package) checkedGroupVersionOf(r *Root) (group, version string) {
	own := r.readCommentGroupVersion(s.Program)
	if own.group == nil || own.version == nil {
		s.readAndReportGroupVersion()
	}
	group, version = s.groupIfRead, s.versionIfRead
	if own.group != nil {
		group = *own.group
	}
	if own.version != nil {
		version = *own.version
	}
	return group, version
}

// resourcePattern matches resource names, which are DNS labels.
var resourcePattern = regexp.MustCompile(`^[a-z]([-a-z0-9]*[a-z0-9])?$`)

// readAndReportGroupVersion reads the group and version of the package once. It is called only if code is
// generated for one of the package's types, because it reports errors.
func (s *Package) readAndReportGroupVersion() {
	if s.isGroupVersionRead {
		return
	}
	s.isGroupVersionRead = true
	var mistakes []diag.Mistake
	s.groupIfRead, s.versionIfRead, _, mistakes = GroupVersionOf(s.Program, s.Pkg, s.Kube)
	s.Program.Report.Mistakes(mistakes)
	if s.versionIfRead == internalVersion {
		s.Program.Report.At(s.Pkg.Syntax[0].Name.Pos(),
			"package %s has the types of version %s, which API servers use internally and do not serve; "+
				"mark the types of a version that is served", s.Pkg.Name, internalVersion)
	}
}

// internalVersion is the version of an API server's internal types, which it never serves.
const internalVersion = "__internal"

// Internal reports whether the types of the package have the internal version, which no
// API server serves.
func (s *Package) Internal() bool {
	_, version, _, _ := GroupVersionOf(s.Program, s.Pkg, s.Kube) // read reports the mistakes
	return version == internalVersion
}

// lacksGroup reports whether the package does not state its group.
func (s *Package) lacksGroup() bool {
	_, _, ok, _ := GroupVersionOf(s.Program, s.Pkg, s.Kube)
	return !ok
}
