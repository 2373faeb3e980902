// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package generator

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// contradictions reports what the markers of a type that is asked for say of how it is
// served and cannot both be so: client-gen's and kubebuilder's are read by tools that know
// nothing of each other. What -all takes along is believed as far as it goes. Of an alias,
// what stands above it counts, whatever its package says.
func (s *served) contradictions(r *root) {
	name := r.obj.Name()
	if verb := unwatched(r); verb != "" {
		s.p.report.at(r.place(verb, contains("")), "+%s says that %s cannot be listed and watched, which is what an informer does; remove it, or the +index markers of %s", verb, name, name)
	}
	if r.home != s.pkg || len(r.kube[resourceMark]) == 0 {
		return
	}
	var last resourceOptions
	path := ""
	for _, v := range r.kube[resourceMark] {
		last = v.(resourceOptions)
		if last.Path != "" {
			path = last.Path
		}
	}
	at := r.place(resourceMark, contains(""))
	if last.Scope != "" && (strings.EqualFold(last.Scope, "Cluster") && last.Scope != "Cluster" || strings.EqualFold(last.Scope, "Namespaced") && last.Scope != "Namespaced") {
		s.p.report.at(at, "+%s:scope=%s of %s is neither Namespaced nor Cluster, and the API server minds the case%s", resourceMark, last.Scope, name,
			didYouMean(last.Scope, []string{"Namespaced", "Cluster"}))
	}
	if len(r.kube[nonNamespace]) > 0 {
		other := s.p.report.where(r.place(nonNamespace, contains("")))
		switch {
		case last.Scope == "":
			s.p.report.at(at, "+%s without a scope makes %s namespaced, which contradicts +%s at %s; write scope=Cluster in it, or remove the other", resourceMark, name, nonNamespace, other)
		case strings.EqualFold(last.Scope, "Namespaced"):
			s.p.report.at(at, "+%s:scope=%s of %s contradicts +%s at %s; write scope=Cluster, or remove the other", resourceMark, last.Scope, name, nonNamespace, other)
		}
	}
	if plural, _ := r.kube.Get(resourceName).(string); plural != "" && path != "" && plural != path {
		s.p.report.at(r.place(resourceMark, contains(path)), "+%s:path=%s of %s contradicts +%s=%s at %s; make them agree",
			resourceMark, path, name, resourceName, plural, s.p.report.where(r.place(resourceName, contains(""))))
	}
}

// unwatched returns the marker that keeps client-gen from giving a type list and watch, or "".
func unwatched(r *root) string {
	if watchable(r.kube) {
		return ""
	}
	i := slices.IndexFunc([]string{noVerbs, onlyVerbs, skipVerbs}, func(name string) bool {
		return len(r.kube[name]) > 0 && !watchable(map[string][]any{name: r.kube[name]})
	})
	return []string{noVerbs, onlyVerbs, skipVerbs}[i]
}

// misplacedResources reports +kubebuilder:resource above the package clause, a field, or a
// type that belongs to one that is emitted, where controller-gen passes over it.
func (o *planned) misplacedResources(p *program, marked map[*root]bool) {
	parts := map[string]*root{} // the names of what belongs to a root
	for r := range marked {
		if r.home != o.pkg {
			continue
		}
		for _, suffix := range []string{"Spec", "Status", "List"} {
			parts[r.obj.Name()+suffix] = r
		}
		if r.list != nil {
			parts[r.list.name.Name()] = r
		}
	}
	if len(parts) == 0 {
		return
	}
	for _, file := range o.pkg.Syntax {
		docs := docsIn(file)
		for c, group := range comments(file) {
			text, ok := strings.CutPrefix(strings.TrimSpace(strings.TrimPrefix(c.Text, "//")), "+"+resourceMark)
			if !ok || text != "" && text[0] != ':' || !strings.HasPrefix(c.Text, "//") {
				continue
			}
			pos := c.Pos() + token.Pos(strings.Index(c.Text, "+"))
			switch on := docs[group].(type) {
			case *ast.Field:
				p.report.at(pos, "+%s does not count above a field; write it above the root type", resourceMark)
			case *ast.TypeSpec:
				r := parts[on.Name.Name]
				if r == nil || isRootName(o.pkg.Types, on.Name.Name) {
					continue
				}
				p.report.at(pos, "+%s does not count above %s; write it above %s", resourceMark, on.Name.Name, r.obj.Name())
			case nil:
				if c.Pos() < file.Package {
					p.report.at(pos, "+%s does not count above the package clause; write it above the root type", resourceMark)
				}
			}
		}
	}
}

// isRootName reports whether a package declares a root type of that name.
func isRootName(pkg *types.Package, name string) bool {
	obj, ok := pkg.Scope().Lookup(name).(*types.TypeName)
	if !ok {
		return false
	}
	_, why := rootType(obj)
	return why == ""
}

// ofAnyKind reports an alias of metav1.PartialObjectMetadata that leaves out of which kind
// the objects are: what its own package says is true of none.
func (r *root) ofAnyKind(p *program, own groupVersion, hasPath bool) bool {
	if !isNamed(r.named, metav1Path, "PartialObjectMetadata") {
		return false
	}
	var missing []string
	if own.group == nil {
		missing = append(missing, "// +groupName=apps")
	}
	if own.version == nil {
		missing = append(missing, "// +versionName=v1")
	}
	if !hasPath {
		missing = append(missing, "// +kubebuilder:resource:path=deployments")
	}
	if len(missing) == 0 {
		return false
	}
	p.report.at(r.spec.Name.Pos(), "metav1.PartialObjectMetadata is the metadata of objects of any kind; say of which: write %s above %s, each on a line of its own",
		strings.Join(missing, ", "), r.obj.Name())
	return true
}
