// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package anykind has states, references to objects of any kind, and names and texts of other caches.
//
// +groupName=golden.indexer-gen.io
// +versionName=v1
package anykind

//go:generate go run github.com/indexer-gen/indexer-gen/cmd/indexer-gen -target=native,client-go,controller-runtime -header=../../../hack/header.go.txt

import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Job is a namespaced type.
//
// +index:ref:name=Target,path=.spec.target,to=*
// +index:ref:name=Backend,path=.spec.backends[*],to=*,absent=Service
// +index:ref:name=Input,path=.spec.inputs[*],to=*
// +index:ref:name=Input,path=.spec.input,to=*
// +index:ref:name=OwnerRef,path=.metadata.ownerReferences,to=*
// +index:ref:name=Class,path=.spec.class,to=*,scope=Cluster
// +index:ref:name=Local,path=.spec.target,to=*,scope=Namespaced,indexName="local",format="%s at %s"
// +kubebuilder:object:root=true
// +index:name=Unfinished,if={.status.phase!="Succeeded",.status.phase!="Failed"},value="unfinished",indexName="open"
// +index:name=Paused,if=.spec.paused==true
// +index:name=Paused,if=.metadata.annotations['paused']
// +index:name=Serving,if=.spec.backends[?(@.kind=="Service")],value="yes"
// +index:name=Busy,if={.status.phase=="Running",.spec.backends[?(@.name=="b" && @.group!="")]}
// +index:name=Busy,if=.spec.paused==false
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

	Target   Target            `json:"target"`
	Backends []Backend         `json:"backends,omitempty"`
	Inputs   map[string]*Input `json:"inputs,omitempty"`
	Input    *Input            `json:"input,omitempty"`
	Class    *Backend          `json:"class,omitempty"`
}

// Target has an apiVersion that may be absent, and no namespace, like that of autoscalers.
type Target struct {
	APIVersion string `json:"apiVersion,omitempty"`
	Kind       string `json:"kind"`
	Name       string `json:"name"`
}

// Backend has optional fields, like references of the Gateway API.
type Backend struct {
	Group     *string    `json:"group,omitempty"`
	Kind      *Kind      `json:"kind,omitempty"`
	Name      string     `json:"name"`
	Namespace *Namespace `json:"namespace,omitempty"`
}

// Kind and Namespace are types of their own.
type (
	Kind      string
	Namespace string
)

// Input has defaults.
type Input struct {
	// +kubebuilder:default=golden.indexer-gen.io
	APIGroup string `json:"apiGroup,omitempty"`
	// +kubebuilder:default=Job
	Kind Kind   `json:"kind,omitempty"`
	Name string `json:"name,omitempty"`
	// +kubebuilder:default=inputs
	Namespace *string `json:"namespace,omitempty"`
}

// Use is a cluster-scoped type.
//
// +kubebuilder:object:root=true
// +kubebuilder:resource:scope=Cluster
// +index:ref:name=Of,path=.spec.of,to=*
// +index:ref:name=By,path=.spec.by,to=*
// +index:ref:name=Backend,path=.spec.backend,to=*,scope=Namespaced
type Use struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              UseSpec `json:"spec,omitempty"`
}

// UseSpec is the spec of a Use.
type UseSpec struct {
	Of      Target                 `json:"of"`
	By      corev1.ObjectReference `json:"by"`
	Backend Backend                `json:"backend"`
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

// UseList is a list of Uses.
//
// +kubebuilder:object:root=true
type UseList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []Use `json:"items"`
}
