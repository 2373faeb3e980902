// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package model

import (
	"maps"
	"regexp"
	"slices"
	"strings"
)

// The packages that every emitted file may import.
const (
	Runtime     = "github.com/indexer-gen/indexer-gen/runtime"
	Canonical   = Runtime + "/canonical"
	Informer    = Runtime + "/informer"
	Lister      = Runtime + "/lister"
	Source      = Runtime + "/source"
	Store       = Runtime + "/store"
	Cache       = "k8s.io/client-go/tools/cache"
	Listers     = "k8s.io/client-go/listers"
	Client      = "sigs.k8s.io/controller-runtime/pkg/client"
	KubeTypes   = "k8s.io/apimachinery/pkg/runtime"
	Context     = "context"
	Errors      = "errors"
	Slices      = "slices"
	Cmp         = "cmp"
	Text        = "strings"
	Format      = "fmt"
	Maps        = "maps"
	Conversions = "strconv"
	Meta        = "k8s.io/apimachinery/pkg/apis/meta/v1"
	Log         = "sigs.k8s.io/controller-runtime/pkg/log"
	Reconcile   = "sigs.k8s.io/controller-runtime/pkg/reconcile"
	Iter        = "iter"
	Resource    = "k8s.io/apimachinery/pkg/api/resource"
	Time        = "time"
	Schema      = "k8s.io/apimachinery/pkg/runtime/schema"
	Types       = "k8s.io/apimachinery/pkg/types"
)

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
		for used[name] || reserved[name] || fixed[name] {
			name, alias = name+"pkg", true
		}
		used[name] = true
		p.Imports[path] = Import{Name: name, Alias: alias}
	}
	if !p.Target.Foreign() {
		add(Runtime, "rt", true)
	}
	for _, path := range p.Target.imports() {
		if v := VersionedName(path, base(path)); v != "" {
			add(path, v, true)
			continue
		}
		add(path, base(path), false)
	}
	for _, path := range foreign(p) {
		name := own[path]
		if name == "" {
			name = base(path)
		}
		if v := VersionedName(path, name); v != "" {
			add(path, v, true)
			continue
		}
		add(path, name, name != base(path))
	}
}

// fixed are the local names in the templates. A test compares them with the templates.
var fixed = setOf(strings.Fields(`a after b before c ctx dst encode err f field first found i index indexer indexes
	k key keys l list name namespace obj objs ok opts other out owner part parts
	quantity reader release requests s src text typed value values`))

// imports lists the packages that files of the target may import, besides those of the types.
func (t Target) imports() []string {
	switch t {
	case ClientGo:
		return []string{
			Cache, Listers, Schema, Types, Meta, Resource, Cmp, Format, Maps, Slices, Conversions, Text, Time}
	case ControllerRuntime:
		return []string{
			Client, Log, Reconcile, KubeTypes, Types, Meta, Resource, Cmp, Context, Errors, Format, Slices,
			Conversions, Text, Time}
	}
	return []string{Canonical, Informer, Lister, Source, Store, Cmp, Iter, Schema, Text, Types}
}

// foreign lists the packages of the types that the file mentions, in order.
func foreign(p *Package) []string {
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

func base(path string) string { return path[strings.LastIndex(path, "/")+1:] }

var (
	isVersion = regexp.MustCompile("^v[0-9]+((alpha|beta)[0-9]+)?$")
	notIdent  = regexp.MustCompile("[^a-z0-9]")
)

// VersionedName gives packages that are named for an API version the name that
// Kubernetes code gives them: k8s.io/api/core/v1 is corev1. It is "" for others.
func VersionedName(path, name string) string {
	if !isVersion.MatchString(name) {
		return ""
	}
	dir, _, ok := cutLast(path, "/")
	if !ok {
		return ""
	}
	parent := notIdent.ReplaceAllString(strings.ToLower(base(dir)), "")
	if parent == "" || parent[0] >= '0' && parent[0] <= '9' {
		return ""
	}
	return parent + name
}

func cutLast(s, sep string) (before, after string, found bool) {
	i := strings.LastIndex(s, sep)
	if i < 0 {
		return s, "", false
	}
	return s[:i], s[i+len(sep):], true
}
