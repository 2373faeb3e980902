// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package marker

import "strings"

// Markers of kubebuilder, client-gen and deepcopy-gen that state how a type is served.
const (
	GroupName    = "groupName"
	VersionName  = "versionName"
	ObjectRoot   = "kubebuilder:object:root"
	ResourceMark = "kubebuilder:resource"
	Genclient    = "genclient"
	NonNamespace = "genclient:nonNamespaced"
	NoVerbs      = "genclient:noVerbs"
	OnlyVerbs    = "genclient:onlyVerbs"
	SkipVerbs    = "genclient:skipVerbs"
	ResourceName = "resourceName"
	Selectable   = "kubebuilder:selectablefield"
	Unserved     = "kubebuilder:unservedversion"
	SkipVersion  = "kubebuilder:skipversion"
	SkipPackage  = "kubebuilder:skip"
)

// IsSelectable reports whether text, which starts at the +, is a
// +kubebuilder:selectablefield marker.
func IsSelectable(text string) bool {
	rest, ok := strings.CutPrefix(text, "+"+Selectable)
	return ok && (rest == "" || strings.IndexAny(rest[:1], ":=, ") == 0)
}
