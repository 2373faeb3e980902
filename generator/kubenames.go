// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package generator

// Markers of kubebuilder, client-gen and deepcopy-gen that say how a type is served.
const (
	groupName    = "groupName"
	versionName  = "versionName"
	objectRoot   = "kubebuilder:object:root"
	resourceMark = "kubebuilder:resource"
	genclient    = "genclient"
	nonNamespace = "genclient:nonNamespaced"
	noVerbs      = "genclient:noVerbs"
	onlyVerbs    = "genclient:onlyVerbs"
	skipVerbs    = "genclient:skipVerbs"
	resourceName = "resourceName"
	selectable   = "kubebuilder:selectablefield"
	unserved     = "kubebuilder:unservedversion"
	skipVersion  = "kubebuilder:skipversion"
	skipPackage  = "kubebuilder:skip"
)
