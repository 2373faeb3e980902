// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package generator

import (
	"slices"
	"strings"

	"github.com/gobuffalo/flect"
	"sigs.k8s.io/controller-tools/pkg/markers"
)

// selectableOptions are those of +kubebuilder:selectablefield.
type selectableOptions struct {
	JSONPath string `marker:"JSONPath"`
}

// resourceOptions are those of +kubebuilder:resource.
type resourceOptions struct {
	Path       string   `marker:",optional"`
	ShortName  []string `marker:",optional"`
	Categories []string `marker:",optional"`
	Singular   string   `marker:",optional"`
	Scope      string   `marker:",optional"`
}

// kubeMarkers knows the markers that projects have already.
func kubeMarkers() (*markers.Collector, error) {
	c := &markers.Collector{Registry: &markers.Registry{}}
	for _, m := range []struct {
		name   string
		target markers.TargetType
		output any
	}{
		{groupName, markers.DescribesPackage, markers.RawArguments(nil)}, // read by readGroupMarker
		{versionName, markers.DescribesPackage, markers.RawArguments(nil)},
		{objectRoot, markers.DescribesType, false},
		{resourceMark, markers.DescribesType, resourceOptions{}},
		{genclient, markers.DescribesType, markers.RawArguments(nil)}, // +genclient:method=… too
		{nonNamespace, markers.DescribesType, struct{}{}},
		{noVerbs, markers.DescribesType, struct{}{}},
		{onlyVerbs, markers.DescribesType, markers.RawArguments(nil)},
		{skipVerbs, markers.DescribesType, markers.RawArguments(nil)},
		{resourceName, markers.DescribesType, ""},
		{selectable, markers.DescribesType, selectableOptions{}},
		{unserved, markers.DescribesType, struct{}{}},
		{skipVersion, markers.DescribesType, struct{}{}},
		{skipPackage, markers.DescribesPackage, struct{}{}},
	} {
		def, err := markers.MakeDefinition(m.name, m.target, m.output)
		if err != nil {
			return nil, err
		}
		def.Strict = m.name == resourceMark || m.name == selectable
		if err := c.Register(def); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// watchable reports whether client-gen would give the type list and watch.
func watchable(kube markers.MarkerValues) bool {
	if len(kube[noVerbs]) > 0 {
		return false
	}
	verbs := func(name string) []string {
		raw, _ := kube.Get(name).(markers.RawArguments)
		return strings.FieldsFunc(string(raw), func(r rune) bool { return r == ',' || r == ' ' })
	}
	only, skip := verbs(onlyVerbs), verbs(skipVerbs)
	for _, verb := range []string{"list", "watch"} {
		if len(only) > 0 && !slices.Contains(only, verb) || slices.Contains(skip, verb) {
			return false
		}
	}
	return true
}

// resourceOf returns the lower-case plural under which a kind is served, and
// whether it lives in namespaces. Like controller-gen it pluralizes as English
// does unless it is told; like client-gen it knows +resourceName and
// +genclient:nonNamespaced.
func resourceOf(kind string, kube markers.MarkerValues) (plural string, namespaced bool) {
	plural = strings.ToLower(flect.Pluralize(kind))
	if name, _ := kube.Get(resourceName).(string); name != "" {
		plural = name
	}
	unsaid := len(kube[nonNamespace]) == 0
	namespaced = unsaid
	for _, v := range kube[resourceMark] {
		o := v.(resourceOptions)
		if o.Path != "" {
			plural = o.Path
		}
		switch {
		case strings.EqualFold(o.Scope, "Cluster"):
			namespaced = false
		case strings.EqualFold(o.Scope, "Namespaced"):
			namespaced = true
		case o.Scope == "":
			namespaced = unsaid // each marker says the scope anew, as controller-gen has it
		}
	}
	return plural, namespaced
}

// strangeScope returns a scope that is none, or "".
func strangeScope(kube markers.MarkerValues) string {
	for _, v := range kube[resourceMark] {
		scope := v.(resourceOptions).Scope
		if scope != "" && !strings.EqualFold(scope, "Cluster") && !strings.EqualFold(scope, "Namespaced") {
			return scope
		}
	}
	return ""
}

// pluralOf returns the plural of a kind as a word and a Go name.
func pluralOf(kind string) string {
	plural := flect.Pluralize(kind)
	if !isIndexName(plural) || !strings.EqualFold(plural[:1], kind[:1]) {
		return kind + "s"
	}
	return plural
}
