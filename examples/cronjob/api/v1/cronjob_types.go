// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package v1

import (
	batchv1 "k8s.io/api/batch/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

type CronJobSpec struct {
	Schedule string `json:"schedule"`
	// Secret is the name of the Secret that the Jobs use.
	Secret string `json:"secret,omitempty"`
}

type CronJobStatus struct {
	// Active is the number of Jobs that have not ended.
	Active int32 `json:"active,omitempty"`
	// SecretVersion is the resourceVersion of the Secret, "" if there is none.
	SecretVersion string `json:"secretVersion,omitempty"`
}

// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
// +index:ref:name=Secret,path=.spec.secret
type CronJob struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   CronJobSpec   `json:"spec"`
	Status CronJobStatus `json:"status,omitempty"`
}

// +kubebuilder:object:root=true
type CronJobList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []CronJob `json:"items"`
}

// Job is a type of Kubernetes with an index of ours.
//
// +index:owner
type Job = batchv1.Job
