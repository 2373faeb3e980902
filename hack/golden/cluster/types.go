// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package cluster is an API of cluster-scoped types.
// +groupName=infra.example.com
// +versionName=v1
package cluster

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// +kubebuilder:resource:scope=Cluster

// StorageClass is cluster-scoped by a marker of kubebuilder.
type StorageClass struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// +index
	Provisioner string `json:"provisioner"`
}

// StorageClassList is a list of StorageClasses.
type StorageClassList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []StorageClass `json:"items"`
}

// +genclient:nonNamespaced
// +index:generate

// Policy is cluster-scoped by a marker of client-gen. It has no list type.
type Policy struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
}

// Target is what a Binding refers to.
type Target struct {
	Namespace *string `json:"namespace,omitempty"`
	Name      string  `json:"name"`
}

// Binding is cluster-scoped. It refers to a cluster-scoped object, to objects of either
// scope, and to a policy that a label names.
//
// +kubebuilder:resource:scope=Cluster
// +index:ref:name=Class,path=.class
// +index:ref:name=Target,path=.targets[*].name,namespacePath=.targets[*].namespace
// +index:ref:name=Policy,path=.metadata.labels['policy']
type Binding struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Class   string   `json:"class"`
	Targets []Target `json:"targets"`
}
