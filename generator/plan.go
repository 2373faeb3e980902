// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package generator

import (
	"go/token"
	"maps"
	"slices"
	"strings"

	"sigs.k8s.io/controller-tools/pkg/loader"

	"github.com/indexer-gen/indexer-gen/templates/model"
)

// planned is a file to emit: its model, and where to find what is said about it.
type planned struct {
	pkg   *loader.Package
	model *model.Package
	roots map[*model.Type]*root
	pos   map[*model.Index]token.Pos
	dest  destination

	notes  map[*model.Index]string
	marked map[*root]bool       // which roots have a marker; the others are there for -all
	left   map[token.Pos]string // why types, by the places of their names, are not explained as emitted
}

// plan resolves a program and its markers to models, one for each package that
// has types to emit.
func plan(p *program, c *collected, configs map[*loader.Package]options) ([]*planned, error) {
	kube, err := kubeMarkers()
	if err != nil {
		return nil, err
	}
	var out []*planned
	var all []*root
	used := map[token.Pos]bool{}
	for _, pkg := range p.targets {
		kubeMarkers := kubeMarkersOf(p, kube, pkg)
		of := roots(p, c, pkg, kubeMarkers)
		all = append(all, of...)
		own := &served{p: p, pkg: pkg, kube: kubeMarkers, all: kube}
		if one := planPackage(p, c, configs[pkg], own, of, used); one != nil {
			out = append(out, one)
		}
	}
	idle(p, c, all, used)
	return out, nil
}

// planPackage returns nil if the package has no type to emit, or if there is no place
// for its file, which is reported.
func planPackage(p *program, c *collected, cfg options, own *served, all []*root, used map[token.Pos]bool) *planned {
	pkg := own.pkg
	dest, misplaced := destinationOf(cfg, pkg)
	if misplaced != nil {
		dest = beside(pkg) // for what else is wrong
	}
	out := &planned{
		pkg: pkg, dest: dest, roots: map[*model.Type]*root{}, pos: map[*model.Index]token.Pos{},
		notes: map[*model.Index]string{}, marked: map[*root]bool{}, left: map[token.Pos]string{},
		model: &model.Package{Name: dest.name, Path: dest.path, API: pkg.PkgPath},
	}
	chosen := map[*root]bool{}
	if cfg.All && len(all) > 0 && !own.internal() {
		chosen = selected(all)
	}
	maps.DeleteFunc(chosen, func(r *root, _ bool) bool { return own.withheld(r) != "" })
	for _, root := range all {
		fields := reachable(c, root.named)
		switch {
		case len(root.marks) > 0 || len(fields) > 0 || root.selects() || asks(c, root):
			out.marked[root] = true
		case !chosen[root]:
			continue
		}
		if out.add(c, own, root, fields, used) && out.marked[root] {
			own.contradictions(root)
		}
	}
	if len(out.model.Types) == 0 {
		return nil
	}
	if misplaced != nil {
		p.report.add(token.Position{}, misplaced.Error())
		return nil
	}
	declaredTwice(p, pkg)
	out.sameResource(p)
	slices.SortFunc(out.model.Types, func(a, b *model.Type) int {
		return strings.Compare(a.Kind, b.Kind) // positions differ from run to run: files are parsed at once
	})
	out.constrain(p)
	return out
}

// add models a root type. One whose objects would have no metadata it reports instead, and
// returns false.
func (o *planned) add(c *collected, own *served, root *root, fields []*reached, used map[token.Pos]bool) bool {
	// Types of the internal version are refused as such, whatever their tags.
	if root.undecoded != "" && !own.internal() {
		own.p.report.at(root.spec.Name.Pos(), "nothing would be decoded into the metav1.ObjectMeta of %s: %s", root.obj.Name(), root.undecoded)
		return false
	}
	kind := root.obj.Name()
	t := &model.Type{Kind: kind, Object: identOf(root.obj), Plural: pluralOf(kind), MetadataOnly: root.metadataOnly()}
	own.set(t, root)
	if root.list != nil {
		list := identOf(root.list.name)
		t.List, t.Pointers = &list, root.list.pointers
	}
	b := &builder{r: newResolver(own.p, root, o.dest), c: c, out: t, pos: o.pos, notes: o.notes, used: used}
	b.build(root, fields)
	o.model.Types = append(o.model.Types, t)
	o.roots[t] = root
	return true
}
