// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package cluster

import (
	"errors"
	"iter"
	"slices"
	"testing"

	"github.com/indexer-gen/indexer-gen/runtime/informer"
	"github.com/indexer-gen/indexer-gen/runtime/store"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
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
	if got := StorageClassesResource.Resource; got != "storageclasses" {
		t.Errorf("resource %q", got)
	}
	policies := NewPolicyIndexer()
	policies.Set(&Policy{ObjectMeta: metav1.ObjectMeta{Name: "p"}})
	if _, err := policies.Snapshot().Get("p"); err != nil {
		t.Error(err)
	}
	informers := NewInformers(InformerSources{})
	policy := informers.Policies()
	if again := informers.Policies(); policy != again || policy.Lister().Len() != 0 {
		t.Error("the factory does not share its informers")
	}
	if err := policy.LastError(); !errors.Is(err, informer.ErrNotStarted) {
		t.Error(err)
	}
}

// Listers over one store share its indexes.
func TestListerOverAStore(t *testing.T) {
	s := store.ForObjects[*Binding]()
	binding := &Binding{ObjectMeta: metav1.ObjectMeta{Name: "a"}, Class: "ns/fast"}
	if err := s.Set(binding); err != nil {
		t.Fatal(err)
	}
	class := types.NamespacedName{Namespace: "ns", Name: "fast"}
	for range 2 {
		bindings := NewBindingLister(s)
		if got := slices.Collect(bindings.ByClass(class)); !slices.Equal(got, []*Binding{binding}) {
			t.Errorf("ByClass yields %v", got)
		}
		if got := bindings.Snapshot().Handles().ByClass.Count(bindings.Reader(), class); got != 1 {
			t.Errorf("%d objects by the handle", got)
		}
	}
	if names := s.Indexes(); !slices.Equal(names, []string{"Class", "Target", "Policy"}) {
		t.Errorf("the store has the indexes %q", names)
	}
}

// A cluster-scoped object refers to a namespaced one only if it states the namespace.
func TestReferencesOfClusterScope(t *testing.T) {
	ns, none := "ns", ""
	bindings := NewBindingIndexer()
	bindings.Set(&Binding{
		ObjectMeta: metav1.ObjectMeta{Name: "b", Labels: map[string]string{"policy": "p"}}, Class: "ns/fast",
		Targets: []Target{
			{Name: "nil"},
			{Namespace: &none, Name: "none"},
			{Namespace: &ns, Name: "some"},
			{Namespace: &ns},
		},
	})
	bindings.Set(&Binding{ObjectMeta: metav1.ObjectMeta{Name: "empty"}})
	count := func(found iter.Seq[*Binding]) (n int) {
		for b := range found {
			if n++; b.Name != "b" {
				t.Errorf("%s is found", b.Name)
			}
		}
		return n
	}
	key := func(namespace, name string) types.NamespacedName {
		return types.NamespacedName{Namespace: namespace, Name: name}
	}
	for _, target := range []types.NamespacedName{key("ns", "some")} {
		if count(bindings.ByTarget(target)) != 1 {
			t.Errorf("nobody refers to %s", target)
		}
	}
	for _, target := range []types.NamespacedName{key("", "nil"), key("", "none"), key("", "some"), key("ns", ""), key("", ""), key("ns", "nil")} {
		if count(bindings.ByTarget(target)) != 0 {
			t.Errorf("somebody refers to %s", target)
		}
	}
	if count(bindings.ByClass(key("ns", "fast"))) != 1 || count(bindings.ByPolicy(key("", "p"))) != 0 {
		t.Error("references are not found by namespace and name alone")
	}
}
