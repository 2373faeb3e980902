// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package cache

import (
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/indexer-gen/indexer-gen/hack/golden/elsewhere"
)

func TestElsewhere(t *testing.T) {
	jobs := NewJobIndexer()
	for name, phase := range map[string]elsewhere.Phase{"a": "Failed", "b": "Failed", "c": "Done"} {
		job := &elsewhere.Job{ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: name}}
		job.SetPhase(phase)
		jobs.Set(job)
	}
	if n := jobs.Failed(); n != 2 {
		t.Errorf("Failed() = %d, want 2", n)
	}
	if n := jobs.Snapshot().Failed(); n != 2 {
		t.Errorf("Failed() of a snapshot = %d, want 2", n)
	}
}
