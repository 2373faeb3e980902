// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package served

import (
	_ "embed"
	"go/types"
	"maps"
	"slices"
	"strings"

	"sigs.k8s.io/controller-tools/pkg/markers"

	"github.com/indexer-gen/indexer-gen/generator/internal/load"
)

// builtinKinds has a line for each kind of k8s.io/api: the kind with its group, and its scope. A test in hack
// compares it with client-go's clientset.
//
//go:embed kinds.txt
var builtinKinds string

// Scope is what is known of the scope of a kind.
type Scope int

// The scopes.
const (
	Unknown Scope = iota
	Cluster
	Namespaced
)

// Scopes returns the scopes of the known kinds by group and kind: those of loaded types, and of k8s.io/api.
func Scopes(p *load.Program, all *markers.Collector) map[string]map[string]Scope {
	out := map[string]map[string]Scope{}
	add := func(group, kind string, namespaced bool) {
		if out[group] == nil {
			out[group] = map[string]Scope{}
		}
		out[group][kind] = Cluster
		if namespaced {
			out[group][kind] = Namespaced
		}
	}
	for line := range strings.Lines(builtinKinds) {
		name, scope, _ := strings.Cut(strings.TrimSpace(line), " ")
		kind, group, _ := strings.Cut(name, ".")
		add(group, kind, scope == "Namespaced")
	}
	for _, path := range slices.Sorted(maps.Keys(p.Checked)) {
		pkg := p.Checked[path]
		var roots []*types.TypeName
		for _, name := range pkg.Types.Scope().Names() {
			if obj, ok := pkg.Types.Scope().Lookup(name).(*types.TypeName); ok && !obj.IsAlias() {
				if _, why := RootType(obj); why == "" {
					roots = append(roots, obj)
				}
			}
		}
		if len(roots) == 0 {
			continue
		}
		kube, err := all.MarkersInPackage(pkg)
		if err != nil {
			continue // reported, or not of this project
		}
		group, _, known, _ := GroupVersionOf(p, pkg, kube)
		if !known {
			continue
		}
		specs := load.Specs(pkg)
		for _, obj := range roots {
			_, namespaced := ResourceOf(obj.Name(), kube[specs[obj.Name()]])
			add(group, obj.Name(), namespaced)
		}
	}
	return out
}
