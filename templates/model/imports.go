// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package model

import (
	"maps"
	"regexp"
	"slices"
	"strings"
)

// The packages that the model and the generator name.
const (
	Runtime   = "github.com/indexer-gen/indexer-gen/runtime"
	Canonical = Runtime + "/canonical"
	Resource  = "k8s.io/apimachinery/pkg/api/resource"
	Time      = "time"
	Schema    = "k8s.io/apimachinery/pkg/runtime/schema"
	Types     = "k8s.io/apimachinery/pkg/types"
)

// Packages holds the import paths of the packages that emitted files may import, by their names in templates.
var Packages = map[string]string{
	"cache": "k8s.io/client-go/tools/cache", "canonical": Canonical, "client": "sigs.k8s.io/controller-runtime/pkg/client",
	"cmp": "cmp", "context": "context", "errors": "errors", "fields": "k8s.io/apimachinery/pkg/fields", "fmt": "fmt", "informer": Runtime + "/informer",
	"iter": "iter", "kuberuntime": "k8s.io/apimachinery/pkg/runtime", "labels": "k8s.io/apimachinery/pkg/labels", "lister": Runtime + "/lister",
	"listers": "k8s.io/client-go/listers", "log": "sigs.k8s.io/controller-runtime/pkg/log", "maps": "maps",
	"meta":   "k8s.io/apimachinery/pkg/api/meta",
	"metav1": "k8s.io/apimachinery/pkg/apis/meta/v1", "reconcile": "sigs.k8s.io/controller-runtime/pkg/reconcile",
	"resource": Resource, "rt": Runtime, "schema": Schema, "slices": "slices",
	"source": Runtime + "/source", "store": Runtime + "/store", "strconv": "strconv", "strings": "strings",
	"time": Time, "types": Types,
}

// Import is the name of an imported package in a file.
type Import struct {
	Name  string
	Alias bool // Name is not the package's own
}

// assignImports gives every package that the file may use a unique name that the package
// scope (taken) does not declare. own maps import paths to declared package names; other
// packages are named for their paths.
func assignImports(p *Package, taken map[string]bool, own map[string]string) {
	p.Imports = map[string]Import{}
	used := map[string]bool{}
	maps.Copy(used, taken)
	add := func(path, name string, alias bool) {
		if _, ok := p.Imports[path]; ok || path == "" || path == p.Path {
			return
		}
		for used[name] || predeclared[name] || templateLocals[name] {
			name, alias = name+"pkg", true
		}
		used[name] = true
		p.Imports[path] = Import{Name: name, Alias: alias}
	}
	if !p.Target.Foreign() {
		add(Runtime, "rt", true)
	}
	names := p.Target.importablePackageNames()
	if slices.ContainsFunc(p.Types, func(t *Type) bool {
		return slices.ContainsFunc(t.Indexes, func(ix *Index) bool {
			return slices.ContainsFunc(ix.Sources(), (*Index).Replaces)
		})
	}) {
		names += " slices"
	}
	if p.Target.Foreign() && p.hasLabelIndex() {
		names += " labels"
	}
	for _, name := range strings.Fields(names) {
		path := Packages[name]
		if v := VersionedName(path, importPathBase(path)); v != "" {
			add(path, v, true)
			continue
		}
		add(path, importPathBase(path), false)
	}
	for _, path := range typePackages(p) {
		name := own[path]
		if name == "" {
			name = importPathBase(path)
		}
		if v := VersionedName(path, name); v != "" {
			add(path, v, true)
			continue
		}
		add(path, name, name != importPathBase(path))
	}
}

// templateLocals are the local names in the templates. A test compares them with the templates.
var templateLocals = setOfNames(strings.Fields(`a add after b before c ctx dst encode err f first found i index indexer indexes
	k key keys l list n name namespace obj objs ok options opts other out owner part parts
	quantity r reader release requests requirement requirements s selector src text typed value values`))

// importablePackageNames lists the packages that files of the target may import, besides those of the types.
func (t Target) importablePackageNames() string {
	switch t {
	case ClientGo:
		return "cache kuberuntime listers schema types metav1 resource cmp fmt maps slices strconv strings time"
	case ControllerRuntime:
		return "client fields log meta reconcile kuberuntime types metav1 resource cmp context errors fmt maps slices strconv strings time"
	}
	return "canonical informer lister source store cmp iter schema strings types"
}

// typePackages lists the packages of the types that the file mentions, in order.
func typePackages(p *Package) []string {
	paths := map[string]bool{p.API: true}
	var visit func(t GoType)
	visit = func(t GoType) {
		paths[t.Ident.Path] = true
		for _, a := range t.Args {
			visit(a)
		}
		if t.Elem != nil {
			visit(*t.Elem)
		}
	}
	for _, t := range p.Types {
		paths[t.Object.Path] = true
		if t.List != nil {
			paths[t.List.Path] = true
		}
		for _, ix := range t.Indexes {
			visit(ix.Value)
			for _, source := range ix.Sources() {
				paths[source.Of.Path] = true
			}
			for _, part := range ix.Parts {
				visit(part.Type)
				visit(part.QueryType())
			}
		}
	}
	return slices.Sorted(maps.Keys(paths))
}

func importPathBase(path string) string { return path[strings.LastIndex(path, "/")+1:] }

var (
	versionPattern       = regexp.MustCompile("^v[0-9]+((alpha|beta)[0-9]+)?$")
	nonIdentifierPattern = regexp.MustCompile("[^a-z0-9]")
)

// VersionedName gives packages that are named for an API version the name that
// Kubernetes code gives them: k8s.io/api/core/v1 is corev1. It is "" for others.
func VersionedName(path, name string) string {
	if !versionPattern.MatchString(name) {
		return ""
	}
	parent := nonIdentifierPattern.ReplaceAllString(strings.ToLower(importPathBase(path[:max(0, strings.LastIndex(path, "/"))])), "")
	if parent == "" || parent[0] >= '0' && parent[0] <= '9' {
		return ""
	}
	return parent + name
}

func cutAtLast(s, sep string) (before, after string, found bool) {
	i := strings.LastIndex(s, sep)
	if i < 0 {
		return s, "", false
	}
	return s[:i], s[i+len(sep):], true
}
