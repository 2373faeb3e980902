// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package states has states, references to objects of any kind, and names and texts of other caches.
//
// +groupName=golden.indexer-gen.io
// +versionName=v1
package states

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Job is a namespaced type.
//
// +kubebuilder:object:root=true
// +index:name=Unfinished,if={.status.phase!="Succeeded",.status.phase!="Failed"},value="unfinished",indexName="open"
// +index:name=Paused,if=.spec.paused==true
// +index:name=Paused,if=.metadata.annotations['paused']
// +index:name=Owner,paths={.spec.queue,.status.phase},indexName=".queue",format="%s:%s"
type Job struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              JobSpec   `json:"spec,omitempty"`
	Status            JobStatus `json:"status,omitempty"`
}

// JobSpec is the spec of a Job.
type JobSpec struct {
	Queue  string `json:"queue,omitempty"`
	Paused *bool  `json:"paused,omitempty"`
}

// JobStatus is the status of a Job.
type JobStatus struct {
	Phase string `json:"phase,omitempty"`
}

// JobList is a list of Jobs.
//
// +kubebuilder:object:root=true
type JobList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []Job `json:"items"`
}
