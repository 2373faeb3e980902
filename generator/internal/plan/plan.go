// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package plan

import (
	"go/token"
	"slices"
	"strings"

	"sigs.k8s.io/controller-tools/pkg/loader"

	"github.com/indexer-gen/indexer-gen/generator/internal/collect"
	"github.com/indexer-gen/indexer-gen/generator/internal/index"
	"github.com/indexer-gen/indexer-gen/generator/internal/load"
	"github.com/indexer-gen/indexer-gen/generator/internal/served"
	"github.com/indexer-gen/indexer-gen/generator/internal/target"
	"github.com/indexer-gen/indexer-gen/templates/model"
)

// File is a file to emit: its model, and the positions for messages.
type File struct {
	Pkg   *loader.Package
	Model *model.Package
	Roots map[*model.Type]*served.Root
	Pos   map[*model.Index]token.Pos
	Dest  target.Destination

	Notes map[*model.Index]string
}

// Packages returns the planned files of the packages with types to emit.
func Packages(
	p *load.Program, c *collect.Collected, cfg target.Options,
) ([]*File, error) {
	kube, err := served.KubeMarkers()
	if err != nil {
		return nil, err
	}
	var out []*File
	used := map[token.Pos]bool{}
	for _, pkg := range p.Targets {
		kubeMarkers := served.KubeMarkersOf(p, kube, pkg)
		of, mistakes := served.Roots(p, c, pkg, kubeMarkers)
		p.Report.Mistakes(mistakes)
		own := &served.Package{Program: p, Pkg: pkg, Kube: kubeMarkers, All: kube}
		for _, t := range cfg.Targets {
			if one := planPackage(p, c, cfg, own, of, used, t); one != nil {
				out = append(out, one)
			}
		}
	}
	index.ReportUnused(p, c, used)
	return out, nil
}

// planPackage returns the file of a package for one target. It returns nil if there is no type to emit, or
// after reporting the missing destination.
func planPackage(
	p *load.Program, c *collect.Collected, cfg target.Options, own *served.Package, all []*served.Root,
	used map[token.Pos]bool, cache model.Target,
) *File {
	pkg := own.Pkg
	dest, misplaced := target.DestinationOf(cfg, pkg)
	if misplaced != nil {
		dest = target.Beside(pkg) // continue, to report further errors
	}
	dest.Target = cache
	out := &File{
		Pkg: pkg, Dest: dest, Roots: map[*model.Type]*served.Root{}, Pos: map[*model.Index]token.Pos{},
		Notes: map[*model.Index]string{},
		Model: &model.Package{Name: dest.Name, Path: dest.Path, API: pkg.PkgPath, Target: cache},
	}
	var omitted map[*served.Root]string
	if cfg.All {
		omitted = own.OmittedByAll(all)
	}
	for _, root := range all {
		fields := index.Reachable(c, root.Named)
		marked := len(root.Marks) > 0 || len(fields) > 0 || root.RequestedByFields() || index.HasFunction(c, root)
		if !marked && (!cfg.All || omitted[root] != "") {
			continue
		}
		if out.addRoot(c, own, root, fields, used) && marked {
			own.ReportContradictions(root)
		}
	}
	if len(out.Model.Types) == 0 {
		return nil
	}
	if misplaced != nil {
		p.Report.Add(token.Position{}, misplaced.Error())
		return nil
	}
	load.ReportDuplicates(p, pkg)
	out.refuseSameGroupVersionResource(p)
	out.refuseUnsupportedByTarget(p)
	slices.SortFunc(out.Model.Types, func(a, b *model.Type) int {
		// positions vary between runs, because files are parsed concurrently
		return strings.Compare(a.Kind, b.Kind)
	})
	out.setCommonBuildConstraint(p)
	return out
}

// addRoot adds a root type to the model. It returns false after reporting a root whose objects
// would have no metadata.
func (o *File) addRoot(
	c *collect.Collected, own *served.Package, root *served.Root, fields []*index.Reached,
	used map[token.Pos]bool,
) bool {
	// Types of the internal version are reported as such, whatever their tags are.
	if root.Undecoded != "" && !own.Internal() {
		own.Program.Report.At(root.Spec.Name.Pos(),
			"nothing would be decoded into the metav1.ObjectMeta of %s: %s", root.Obj.Name(), root.Undecoded)
		return false
	}
	kind := root.Obj.Name()
	t := &model.Type{Kind: kind, Object: index.IdentOf(root.Obj), Plural: served.PluralOf(kind),
		Converted: root.Converted}
	own.Set(t, root)
	if root.List != nil {
		list := index.IdentOf(root.List.Name)
		t.List, t.Pointers = &list, root.List.Pointers
	}
	b := &index.Builder{Resolver: index.NewResolver(own.Program, root, o.Dest), Collected: c, Out: t,
		Pos: o.Pos, Notes: o.Notes, Used: used,
		Scopes: func() map[string]map[string]served.Scope { return served.Scopes(own.Program, own.All) }}
	b.Build(root, fields)
	o.Model.Types = append(o.Model.Types, t)
	o.Roots[t] = root
	return true
}
