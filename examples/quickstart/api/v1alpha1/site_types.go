// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package v1alpha1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// SiteSpec says where a site is.
type SiteSpec struct {
	// +index
	Region string `json:"region"`
}

// Site is a place where devices stand; it owns them.
//
// +kubebuilder:object:root=true
// +kubebuilder:resource:scope=Cluster
type Site struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec SiteSpec `json:"spec"`
}

// SiteList is a list of sites.
//
// +kubebuilder:object:root=true
type SiteList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []Site `json:"items"`
}
