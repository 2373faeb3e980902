// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package anykind

import (
	"encoding/json"

	"k8s.io/apimachinery/pkg/runtime"
)

// DeepCopyObject returns a copy of j.
func (j *Job) DeepCopyObject() runtime.Object { return copied(j) }

// DeepCopyObject returns a copy of l.
func (l *JobList) DeepCopyObject() runtime.Object { return copied(l) }

// DeepCopyObject returns a copy of u.
func (u *Use) DeepCopyObject() runtime.Object { return copied(u) }

// DeepCopyObject returns a copy of l.
func (l *UseList) DeepCopyObject() runtime.Object { return copied(l) }

func copied[T any](of *T) *T {
	out := new(T)
	if text, err := json.Marshal(of); err != nil || json.Unmarshal(text, out) != nil {
		panic("cannot copy")
	}
	return out
}
