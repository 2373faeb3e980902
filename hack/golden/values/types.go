// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package values is an API whose indexed values == does not compare rightly: times
// and quantities, in every place that a path leads to.
// +groupName=values.example.com
// +versionName=v1
package values

import (
	"time"

	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// JobSpec is the desired state.
type JobSpec struct {
	// +index:ordered=true
	Start metav1.Time `json:"start"`
	// +index:unique=true
	Lease *metav1.MicroTime `json:"lease,omitempty"`
	// +index:unique=true,ordered=true
	Clock time.Time `json:"clock"`
	// +index:name=Retry,ordered=true
	Retries []metav1.Time `json:"retries,omitempty"`
	// +index:name=Attempt
	Attempts []*metav1.Time `json:"attempts,omitempty"`

	// +index:ordered=true
	Memory resource.Quantity `json:"memory"`
	// +index:ordered=true,unique=true
	Disk *resource.Quantity `json:"disk,omitempty"`
	// +index:name=Size
	Sizes []resource.Quantity `json:"sizes,omitempty"`

	// +index:ordered=true
	Timeout metav1.Duration `json:"timeout"`
	// +index:ordered=true,unique=true
	Patience *metav1.Duration `json:"patience,omitempty"`
	// +index:name=Pause,ordered=true
	Pauses []metav1.Duration `json:"pauses,omitempty"`
	// +index:ordered=true
	Grace time.Duration `json:"grace"`

	Limits map[string]resource.Quantity  `json:"limits,omitempty"`
	Quotas map[string]*resource.Quantity `json:"quotas,omitempty"`
	Marks  map[string]*metav1.Time       `json:"marks,omitempty"`
	Steps  []Step                        `json:"steps,omitempty"`
	Queue  string                        `json:"queue"`
}

// Step is an element of a list.
type Step struct {
	Name  string            `json:"name"`
	Done  *metav1.Time      `json:"done,omitempty"`
	Usage resource.Quantity `json:"usage"`
}

// Deadline is an hour after the start.
// +index:func:name=Deadline,ordered=true
func Deadline(j *Job) time.Time {
	if j.Spec.Start.IsZero() {
		return time.Time{}
	}
	return j.Spec.Start.Add(time.Hour)
}

// Moments are all times of a job.
// +index:func:name=Moment
func Moments(j *Job) []metav1.Time { return append([]metav1.Time{j.Spec.Start}, j.Spec.Retries...) }

// Twice is twice the memory.
// +index:func:name=Twice,ordered=true,unique=true
func Twice(j *Job) resource.Quantity {
	out := j.Spec.Memory.DeepCopy()
	out.Add(out)
	return out
}

// Overtime is how much longer than its timeout a job is waited for.
// +index:func:name=Overtime,ordered=true
func Overtime(j *Job) metav1.Duration {
	return metav1.Duration{Duration: j.Spec.Grace - j.Spec.Timeout.Duration}
}

// +index:name=QueueTimeout,paths={.spec.queue,.spec.timeout},ordered=true
// +index:name=Created,path=.metadata.creationTimestamp,ordered=true
// +index:name=Deleted,path=.metadata.deletionTimestamp
// +index:name=CPU,path=.spec.limits['cpu'],ordered=true
// +index:name=Limit,path=.spec.limits[*]
// +index:name=Quota,path=.spec.quotas[*]
// +index:name=Begun,path=.spec.marks['begun']
// +index:name=Done,path=.spec.steps[*].done,ordered=true
// +index:name=Step,paths={.spec.steps[*].name,.spec.steps[*].done,.spec.steps[*].usage}
// +index:name=QueueStart,paths={.spec.queue,.spec.start},ordered=true
// +index:name=QueueMemory,paths={.spec.queue,.spec.memory,.spec.start},ordered=true,unique=true

// Job is a root type.
type Job struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec JobSpec `json:"spec,omitempty"`
}

// JobList is a list whose items are pointers.
type JobList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []*Job `json:"items"`
}
