// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package cluster

import (
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func TestClusterScope(t *testing.T) {
	classes := NewStorageClassIndexer()
	classes.Set(&StorageClass{ObjectMeta: metav1.ObjectMeta{Name: "fast"}, Provisioner: "nvme"})
	got, err := classes.Get("fast")
	if err != nil || got.Provisioner != "nvme" {
		t.Errorf("Get() = %v, %v", got, err)
	}
	n := 0
	for c := range classes.ByProvisioner("nvme") {
		if n++; c != got {
			t.Errorf("ByProvisioner yields %v", c)
		}
	}
	if n != 1 {
		t.Errorf("ByProvisioner yields %d classes", n)
	}
	if got := StorageClassResource.Resource; got != "storageclasses" {
		t.Errorf("resource %q", got)
	}
	policies := NewPolicyIndexer()
	policies.Set(&Policy{ObjectMeta: metav1.ObjectMeta{Name: "p"}})
	if _, err := policies.Snapshot().Get("p"); err != nil {
		t.Error(err)
	}
	informers := NewInformers(Sources{})
	policy := informers.Policies()
	if again := informers.Policies(); policy != again || policy.Lister().Len() != 0 {
		t.Error("the factory does not share its informers")
	}
}
