// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package generator

import (
	"errors"
	"go/token"
	"slices"
	"strings"

	"sigs.k8s.io/controller-tools/pkg/loader"
	"sigs.k8s.io/controller-tools/pkg/markers"

	"github.com/indexer-gen/indexer-gen/generator/model"
)

// planned is a file to emit: its model, and where to find what is said about it.
type planned struct {
	pkg   *loader.Package
	model *model.Package
	roots map[*model.Type]*root
	pos   map[*model.Index]token.Pos
	dest  destination
}

// plan resolves a program and its markers to models, one for each package that
// has types to emit.
func plan(p *program, c *collected, cfg Config) ([]*planned, error) {
	kube, err := kubeMarkers()
	if err != nil {
		return nil, err
	}
	var out []*planned
	for _, pkg := range p.targets {
		one, err := planPackage(p, c, cfg, pkg, kube)
		if err != nil {
			return nil, err
		}
		if one != nil {
			out = append(out, one)
		}
	}
	for _, m := range c.fields {
		if m.target && !m.used {
			p.report.at(m.pos, "%s", unreachable(m.field))
		}
	}
	for _, f := range c.funcs {
		if !f.used {
			p.report.at(f.pos, "%s", f.unusable())
		}
	}
	return out, nil
}

func planPackage(p *program, c *collected, cfg Config, pkg *loader.Package, kubeMarkers *markers.Collector) (*planned, error) {
	kube, err := kubeMarkers.MarkersInPackage(pkg)
	for _, e := range flatten(err) {
		p.markerError(e)
	}
	dest, err := destinationOf(cfg, pkg)
	if err != nil {
		return nil, err
	}
	out := &planned{
		pkg: pkg, dest: dest, roots: map[*model.Type]*root{}, pos: map[*model.Index]token.Pos{},
		model: &model.Package{Name: dest.name, Path: dest.path, API: pkg.PkgPath},
	}
	all := roots(p, c, pkg, kube)
	chosen := map[*root]bool{}
	if cfg.All {
		chosen = selected(all)
	}
	for _, root := range all {
		fields := reachable(c, root.named)
		if len(root.marks) == 0 && len(fields) == 0 && len(root.kube[selectable]) == 0 && !c.asks(root) && !chosen[root] {
			continue
		}
		kind := root.named.Obj().Name()
		t := &model.Type{Kind: kind, Object: identOf(root.named.Obj()), Plural: pluralOf(kind)}
		t.Resource, t.Namespaced = resourceOf(kind, root.kube)
		if scope := strangeScope(root.kube); scope != "" {
			p.report.at(root.spec.Name.Pos(), "+kubebuilder:resource:scope=%s of %s is neither Namespaced nor Cluster%s",
				scope, kind, didYouMean(scope, []string{"Namespaced", "Cluster"}))
		}
		if root.list != nil {
			list := identOf(root.list)
			t.List = &list
		}
		local := dest.path == pkg.PkgPath
		b := &builder{r: &resolver{p: p, root: root.named, local: local, unordered: map[*model.Part]string{}, texts: map[*model.Part]bool{}}, c: c, out: t, pos: out.pos}
		b.build(root, fields)
		out.model.Types = append(out.model.Types, t)
		out.roots[t] = root
	}
	if len(out.model.Types) == 0 {
		return nil, nil
	}
	group, version, hasGroup := groupVersionOf(p, pkg, kube)
	for _, t := range out.model.Types {
		t.Group, t.Version = group, version
	}
	if !hasGroup {
		p.report.at(pkg.Syntax[0].Name.Pos(), "the API group of package %s is not named; write // +groupName=example.com above its package clause", pkg.Name)
	}
	slices.SortFunc(out.model.Types, func(a, b *model.Type) int {
		return strings.Compare(a.Kind, b.Kind) // positions differ from run to run: files are parsed at once
	})
	return out, nil
}

// markerError reports what controller-tools' collector found wrong with a marker
// of kubebuilder's or client-gen's.
func (p *program) markerError(err error) {
	// The collector hides what it wraps, and prints places in the marker as <input>.
	message, _, _ := strings.Cut(err.Error(), " (at <input>")
	var at loader.PositionedError
	if !errors.As(err, &at) {
		p.report.add(token.Position{}, message)
		return
	}
	p.report.at(at.Pos, "cannot read the marker of kubebuilder or client-gen: %s", message)
}

// flatten lists the errors that controller-tools nests in lists.
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
