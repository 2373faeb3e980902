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

	"github.com/indexer-gen/indexer-gen/generator/internal/diag"
	"github.com/indexer-gen/indexer-gen/generator/internal/load"
	"github.com/indexer-gen/indexer-gen/generator/internal/marker"
)

// KubeMarkersOf returns the kubebuilder and client-gen markers of a package, and reports
// those that are invalid. The collector returns no markers at all if one is invalid. So
// invalid markers are blanked, and the others are collected again.
func KubeMarkersOf(p *load.Program, all *markers.Collector, pkg *loader.Package) map[ast.Node]markers.MarkerValues {
	kube, err := all.MarkersInPackage(pkg)
	if err == nil {
		return kube
	}
	seen := map[token.Pos]bool{}
	for _, e := range flatten(err) {
		var at loader.PositionedError
		if errors.As(e, &at) && seen[at.Pos] {
			continue // a follow-up error
		}
		seen[at.Pos] = true
		reportMarkerError(p, pkg, e)
	}
	kube, _ = all.MarkersInPackage(pkg)
	return kube
}

// reportMarkerError reports an invalid kubebuilder or client-gen marker, and blanks its
// comment.
func reportMarkerError(p *load.Program, pkg *loader.Package, err error) {
	// The collector's errors cannot be unwrapped, and name positions in the marker <input>.
	message, _, _ := strings.Cut(err.Error(), " (at <input>")
	var at loader.PositionedError
	if !errors.As(err, &at) {
		p.Report.Add(token.Position{}, message)
		return
	}
	pos, text := at.Pos, "the marker of kubebuilder or client-gen"
	if c := commentAt(pkg, at.Pos); c != nil {
		if i := strings.Index(c.Text, "+"); i >= 0 {
			pos, text = c.Pos()+token.Pos(i), strings.TrimSpace(c.Text[i:])
		}
		c.Text = "//"
	}
	p.Report.At(pos, "cannot read %s: %s", text, reworded(text, message))
}

// reworded explains an error of controller-tools and adds a remedy.
func reworded(text, message string) string {
	options := []string{"path", "scope", "shortName", "categories", "singular"}
	if marker.IsSelectable(text) {
		options = []string{"JSONPath"}
	}
	switch {
	case message == `expected equals, got ""`, message == `expected equals, got ","`:
		return "an option has no value; options are separated by commas, and a text with a comma in it stands in quotes"
	case message == `missing argument "JSONPath"`:
		return "write +" + marker.Selectable + ":JSONPath=.spec.field"
	case strings.HasPrefix(message, "unknown argument "):
		name := strings.Trim(strings.TrimPrefix(message, "unknown argument "), `"`)
		suggestion := diag.DidYouMean(name, options)
		if suggestion == "" {
			suggestion = "; it has " + strings.Join(options, ", ")
		}
		return "it has no option " + name + suggestion
	}
	return message
}

// commentAt returns the comment of a package that begins at a position, or nil.
func commentAt(pkg *loader.Package, pos token.Pos) *ast.Comment {
	for _, file := range pkg.Syntax {
		for _, group := range file.Comments {
			for _, c := range group.List {
				if c.Pos() == pos {
					return c
				}
			}
		}
	}
	return nil
}

// flatten returns the errors in controller-tools' nested error lists.
func flatten(err error) []error {
	var list loader.ErrList
	if err == nil {
		return nil
	}
	if !errors.As(err, &list) {
		return []error{err}
	}
	var out []error
	for _, e := range list {
		out = append(out, flatten(e)...)
	}
	return out
}
