// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package elsewhere is an API whose file is emitted into another package.
// +groupName=elsewhere.example.com
// +versionName=v1
package elsewhere

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Phase is a key.
type Phase string

// Job is a type.
type Job struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	base `json:",inline"`
}

type base struct {
	// +index
	Phase Phase `json:"phase"`
}

// SetPhase sets a field promoted from an unexported struct.
func (j *Job) SetPhase(p Phase) { j.Phase = p }

// JobList is a list of Jobs.
type JobList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []Job `json:"items"`
}
