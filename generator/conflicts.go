// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package generator

import (
	"go/types"
	"slices"
	"strings"
)

// contradictions reports what the markers of a type that is asked for say of how it is
// served and cannot both be so: client-gen's and kubebuilder's are read by tools that know
// nothing of each other. What -all takes along is believed as far as it goes. Of an alias,
// what stands above it counts, whatever its package says.
//
// scope=Cluster without +genclient:nonNamespaced is none: projects have it, and clients
// that work, if they are asked without a namespace. The other marker would change these.
func (s *served) contradictions(r *root) {
	name := r.obj.Name()
	if verb := unwatched(r); verb != "" {
		s.p.report.at(r.place(verb, contains("")), "+%s says that %s cannot be listed and watched, which is what an informer does; remove it, or the +index markers of %s", verb, name, name)
	}
	if len(r.kube[unserved]) > 0 {
		s.p.report.at(r.place(unserved, contains("")), "+%s says that the API server does not serve this version of %s, so that an informer would never sync; remove it, or the +index markers of %s", unserved, name, name)
	}
	if r.home != s.pkg {
		return
	}
	s.otherVersion()
	s.noItems(r)
	if len(r.kube[resourceMark]) == 0 {
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

// otherVersion reports a variable that alone says the version of a package, and another
// than the package is named for: most likely it came along when the package was copied.
func (s *served) otherVersion() {
	if !s.known || s.version == "" || s.version == s.pkg.Name || !isVersion.MatchString(s.pkg.Name) || len(packageMarkers(s.pkg, s.kube, versionName)) > 0 {
		return
	}
	claims, _ := variableClaims(s.pkg)
	if versions := claims["Version"]; len(versions) > 0 && wrongName(false, versions[0].value) == "" {
		s.p.report.at(versions[0].pos, "%s is not %s, for which the package is named; correct it or, if that is meant, write // +versionName=%s above the package clause",
			versions[0].text, s.pkg.Name, s.version)
	}
}

// noItems reports a list type of the root that lists nothing.
func (s *served) noItems(r *root) {
	obj, ok := s.pkg.Types.Scope().Lookup(r.obj.Name() + "List").(*types.TypeName)
	if r.list != nil || !ok {
		return
	}
	if st, ok := obj.Type().Underlying().(*types.Struct); ok && embeds(st, "ListMeta") && !hasItems(st) {
		s.p.report.at(obj.Pos(), "%s embeds metav1.ListMeta and has no Items, so that it lists no %s; write Items []%s `json:\"items\"` in it", obj.Name(), r.obj.Name(), r.obj.Name())
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
