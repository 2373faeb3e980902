// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// ValuesFrom refers to values in a Secret of the release's namespace.
type ValuesFrom struct {
	SecretName string `json:"secretName"`
	Key        string `json:"key,omitempty"`
}

// PullSecret refers to a Secret of whatever namespace.
type PullSecret struct {
	Namespace string `json:"namespace"`
	Name      string `json:"name"`
}

// ReleaseSpec is the desired state of a Release.
type ReleaseSpec struct {
	Chart      string       `json:"chart"`
	ValuesFrom []ValuesFrom `json:"valuesFrom,omitempty"`
	// PullSecret is nil for public charts.
	PullSecret *PullSecret `json:"pullSecret,omitempty"`
}

// Release is a chart that runs in a namespace.
//
// Which releases does a change of a Secret concern? Both indexes answer with the
// Secret's namespace and name, as a struct of two strings.
//
// +kubebuilder:object:root=true
// +index:name=ValuesSecret,paths={.metadata.namespace,.spec.valuesFrom[*].secretName}
// +index:name=PullSecret,paths={.spec.pullSecret.namespace,.spec.pullSecret.name}
type Release struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec ReleaseSpec `json:"spec"`
}

// ReleaseList is a list of releases.
//
// +kubebuilder:object:root=true
type ReleaseList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []Release `json:"items"`
}
