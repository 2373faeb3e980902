// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package served

import (
	"slices"
	"strings"

	"github.com/indexer-gen/indexer-gen/generator/internal/gotypes"
	"github.com/indexer-gen/indexer-gen/generator/internal/load"
	"github.com/indexer-gen/indexer-gen/generator/internal/marker"
)

// ReportContradictions reports contradictory markers of client-gen and kubebuilder on a requested
// type. Types that only -all includes are not checked. For an alias, only the markers on
// the alias are checked.
//
// scope=Cluster without +genclient:nonNamespaced is accepted. Projects have it together
// with clients that work if no namespace is given; adding the marker would change these.
func (s *Package) ReportContradictions(r *Root) {
	name := r.Obj.Name()
	if verb := unwatchedMarkerName(r); verb != "" {
		s.Program.Report.At(r.Place(verb, containsText("")),
			"+%s says that %s cannot be listed and watched, which is what an informer does; "+
				"remove it, or the +index markers of %s", verb, name, name)
	}
	if len(r.Kube[marker.Unserved]) > 0 {
		s.Program.Report.At(r.Place(marker.Unserved, containsText("")),
			"+%s says that the API server does not serve this version of %s, so that an informer "+
				"would never sync; remove it, or the +index markers of %s", marker.Unserved, name, name)
	}
	if r.Home != s.Pkg {
		return
	}
	if len(r.Kube[marker.ResourceMark]) == 0 {
		return
	}
	var last resourceOptions
	path := ""
	for _, v := range r.Kube[marker.ResourceMark] {
		last = v.(resourceOptions)
		if last.Path != "" {
			path = last.Path
		}
	}
	at := r.Place(marker.ResourceMark, containsText(""))
	if len(r.Kube[marker.NonNamespace]) > 0 {
		other := s.Program.Report.Where(r.Place(marker.NonNamespace, containsText("")))
		switch {
		case last.Scope == "":
			s.Program.Report.At(at,
				"+%s without a scope makes %s namespaced, which contradicts +%s at %s; "+
					"write scope=Cluster in it, or remove the other", marker.ResourceMark, name,
				marker.NonNamespace, other)
		case last.Scope == "Namespaced":
			s.Program.Report.At(at,
				"+%s:scope=%s of %s contradicts +%s at %s; write scope=Cluster, or remove the other",
				marker.ResourceMark, last.Scope, name, marker.NonNamespace, other)
		}
	}
	if plural, _ := r.Kube.Get(marker.ResourceName).(string); plural != "" && path != "" && plural != path {
		s.Program.Report.At(r.Place(marker.ResourceMark, containsText(path)),
			"+%s:path=%s of %s contradicts +%s=%s at %s; make them agree",
			marker.ResourceMark, path, name, marker.ResourceName, plural,
			s.Program.Report.Where(r.Place(marker.ResourceName, containsText(""))))
	}
}

// unwatchedMarkerName returns the client-gen marker that excludes list or watch, or "".
func unwatchedMarkerName(r *Root) string {
	if canListAndWatch(r.Kube) {
		return ""
	}
	verbs := []string{marker.NoVerbs, marker.OnlyVerbs, marker.SkipVerbs}
	i := slices.IndexFunc(verbs, func(name string) bool {
		return len(r.Kube[name]) > 0 && !canListAndWatch(map[string][]any{name: r.Kube[name]})
	})
	return verbs[i]
}

// reportUnnamedPartialObject reports an alias of metav1.PartialObjectMetadata that does not state the group,
// version and resource of its objects. Those of package metav1 do not apply.
func (r *Root) reportUnnamedPartialObject(p *load.Program, own groupVersion, hasPath bool) bool {
	if !gotypes.IsNamed(r.Named, gotypes.MetaV1Path, "PartialObjectMetadata") {
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
	p.Report.At(r.Spec.Name.Pos(),
		"metav1.PartialObjectMetadata is the metadata of objects of any kind; "+
			"name the kind: write %s above %s, each on a line of its own",
		strings.Join(missing, ", "), r.Obj.Name())
	return true
}
