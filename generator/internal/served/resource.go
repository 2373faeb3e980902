// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package served

import (
	"slices"
	"strings"

	"github.com/gobuffalo/flect"
	"sigs.k8s.io/controller-tools/pkg/markers"

	"github.com/indexer-gen/indexer-gen/generator/internal/gotypes"
	"github.com/indexer-gen/indexer-gen/generator/internal/marker"
)

// canListAndWatch reports whether client-gen would emit both list and watch for a type.
func canListAndWatch(kube markers.MarkerValues) bool {
	if len(kube[marker.NoVerbs]) > 0 {
		return false
	}
	verbs := func(name string) []string {
		raw, _ := kube.Get(name).(markers.RawArguments)
		return strings.FieldsFunc(string(raw), func(r rune) bool { return r == ',' || r == ' ' })
	}
	only, skip := verbs(marker.OnlyVerbs), verbs(marker.SkipVerbs)
	for _, verb := range []string{"list", "watch"} {
		if len(only) > 0 && !slices.Contains(only, verb) || slices.Contains(skip, verb) {
			return false
		}
	}
	return true
}

// ResourceOf returns the resource of a kind, which is a lower-case plural, and whether the kind
// is namespaced. It reads the markers of kubebuilder and client-gen. Without them the resource
// is the English plural, as in controller-gen, and the kind is namespaced.
func ResourceOf(kind string, kube markers.MarkerValues) (plural string, namespaced bool) {
	plural = strings.ToLower(flect.Pluralize(kind))
	if name, _ := kube.Get(marker.ResourceName).(string); name != "" {
		plural = name
	}
	unsaid := len(kube[marker.NonNamespace]) == 0
	namespaced = unsaid
	for _, v := range kube[marker.ResourceMark] {
		o := v.(resourceOptions)
		if o.Path != "" {
			plural = o.Path
		}
		switch {
		case o.Scope == "Cluster":
			namespaced = false
		case o.Scope == "Namespaced":
			namespaced = true
		case o.Scope == "":
			namespaced = unsaid // each marker resets the scope, as in controller-gen
		}
	}
	return plural, namespaced
}

// firstInvalidScope returns the first invalid scope, or "".
func firstInvalidScope(kube markers.MarkerValues) string {
	for _, v := range kube[marker.ResourceMark] {
		scope := v.(resourceOptions).Scope
		if scope != "" && scope != "Cluster" && scope != "Namespaced" {
			return scope
		}
	}
	return ""
}

// PluralOf returns the plural of a kind as a Go name.
func PluralOf(kind string) string {
	plural := flect.Pluralize(kind)
	if !gotypes.IsIndexName(plural) || !strings.EqualFold(plural[:1], kind[:1]) {
		return kind + "s"
	}
	return plural
}
