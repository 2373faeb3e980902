// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package served

import (
	"errors"
	"go/ast"
	"go/token"
	"strings"

	"sigs.k8s.io/controller-tools/pkg/loader"
	"sigs.k8s.io/controller-tools/pkg/markers"

	"github.com/indexer-gen/indexer-gen/generator/internal/load"
	"github.com/indexer-gen/indexer-gen/generator/internal/marker"
)

// KubeMarkersOf returns the kubebuilder and client-gen markers of a package, and reports
// those that are invalid. The collector returns no markers at all if one is invalid. So the
// comments of invalid markers are blanked while the others are collected, and then restored.
func KubeMarkersOf(
	p *load.Program, all *markers.Collector, pkg *loader.Package,
) map[ast.Node]markers.MarkerValues {
	kube, err := all.MarkersInPackage(pkg)
	if err == nil {
		return kube
	}
	seen := map[token.Pos]bool{}
	for _, e := range flattenErrors(err) {
		var at loader.PositionedError
		if errors.As(e, &at) && seen[at.Pos] {
			continue // a follow-up error
		}
		seen[at.Pos] = true
		c := commentStartingAt(pkg, at.Pos)
		reportMarkerError(p, c, e)
		if c != nil {
			defer func(text string) { c.Text = text }(c.Text)
			c.Text = "//"
		}
	}
	kube, _ = all.MarkersInPackage(pkg)
	return kube
}

// reportMarkerError reports an invalid kubebuilder or client-gen marker in comment c, which
// is nil if it is unknown.
func reportMarkerError(p *load.Program, c *ast.Comment, err error) {
	// The collector's errors cannot be unwrapped, and name positions in the marker <input>.
	message, _, _ := strings.Cut(err.Error(), " (at <input>")
	var at loader.PositionedError
	if !errors.As(err, &at) {
		p.Report.Add(token.Position{}, message)
		return
	}
	pos, text := at.Pos, "the marker of kubebuilder or client-gen"
	if c != nil {
		if i := strings.Index(c.Text, "+"); i >= 0 {
			pos, text = c.Pos()+token.Pos(i), strings.TrimSpace(c.Text[i:])
		}
	}
	p.Report.At(pos, "cannot read %s: %s", text, message)
}

// commentStartingAt returns the comment of a package that begins at a position, or nil.
func commentStartingAt(pkg *loader.Package, pos token.Pos) *ast.Comment {
	for _, file := range pkg.Syntax {
		for c := range commentLines(file) {
			if c.Pos() == pos {
				return c
			}
		}
	}
	return nil
}

// flattenErrors returns the errors in controller-tools' nested error lists.
func flattenErrors(err error) []error {
	var list loader.ErrList
	if err == nil {
		return nil
	}
	if !errors.As(err, &list) {
		return []error{err}
	}
	var out []error
	for _, e := range list {
		out = append(out, flattenErrors(e)...)
	}
	return out
}

// SelectableOptions are those of +kubebuilder:selectablefield.
type SelectableOptions struct {
	JSONPath string `marker:"JSONPath"`
}

// resourceOptions are those of +kubebuilder:resource.
type resourceOptions struct {
	Path       string   `marker:",optional"`
	ShortName  []string `marker:",optional"`
	Categories []string `marker:",optional"`
	Singular   string   `marker:",optional"`
	Scope      string   `marker:",optional"`
}

// KubeMarkers knows the markers that projects have already.
func KubeMarkers() (*markers.Collector, error) {
	c := &markers.Collector{Registry: &markers.Registry{}}
	for _, m := range []struct {
		name   string
		target markers.TargetType
		output any
	}{
		{marker.GroupName, markers.DescribesPackage, markers.RawArguments(nil)}, // read by readGroupOrVersionMarker
		{marker.VersionName, markers.DescribesPackage, markers.RawArguments(nil)},
		{marker.ObjectRoot, markers.DescribesType, false},
		{marker.ResourceMark, markers.DescribesType, resourceOptions{}},
		{marker.Genclient, markers.DescribesType, markers.RawArguments(nil)}, // +genclient:method=… too
		{marker.NonNamespace, markers.DescribesType, struct{}{}},
		{marker.NoVerbs, markers.DescribesType, struct{}{}},
		{marker.OnlyVerbs, markers.DescribesType, markers.RawArguments(nil)},
		{marker.SkipVerbs, markers.DescribesType, markers.RawArguments(nil)},
		{marker.ResourceName, markers.DescribesType, ""},
		{marker.Selectable, markers.DescribesType, SelectableOptions{}},
		{marker.Unserved, markers.DescribesType, struct{}{}},
		{marker.SkipVersion, markers.DescribesType, struct{}{}},
		{marker.SkipPackage, markers.DescribesPackage, struct{}{}},
	} {
		def, err := markers.MakeDefinition(m.name, m.target, m.output)
		if err != nil {
			return nil, err
		}
		def.Strict = m.name == marker.ResourceMark || m.name == marker.Selectable
		if err := c.Register(def); err != nil {
			return nil, err
		}
	}
	return c, nil
}
