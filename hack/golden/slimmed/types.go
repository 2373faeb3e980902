// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package slimmed has types that hold only what one reader wants of objects that
// the API server serves by other names.
// +groupName=
// +versionName=v1
package slimmed

import "github.com/indexer-gen/indexer-gen/runtime/slim"

// +kubebuilder:resource:path=pods
// +index:labels
// +index:name=NodePhase,paths={.spec.nodeName,.status.phase}
// +index:name=Zone,path=.metadata.annotations['example.com/zone']
// +index:ref:name=Secret,path=.spec.volumes[*].secret.secretName

// Pod is what a scheduler's dashboard wants of a Pod.
type Pod struct {
	slim.Annotated `json:"metadata"`

	Spec   PodSpec   `json:"spec"`
	Status PodStatus `json:"status"`
}

// PodSpec is what Pod has of a spec.
type PodSpec struct {
	// +index
	NodeName string `json:"nodeName"`
	Volumes  []struct {
		Secret *struct {
			SecretName string `json:"secretName"`
		} `json:"secret"`
	} `json:"volumes"`
}

// PodStatus is what Pod has of a status.
type PodStatus struct {
	Phase string `json:"phase"`
}

// +kubebuilder:resource:path=nodes,scope=Cluster
// +index:name=UID,path=.metadata.uid,unique=true

// Host is a Node with metadata only, so that the server sends nothing else.
type Host struct {
	slim.Meta `json:"metadata"`
}

// Address is what a proxy wants of a Pod. source.Map makes it of one.
// +kubebuilder:resource:path=pods
// +index:generate
type Address struct {
	slim.Meta

	// +index:unique=true
	IP string
}
