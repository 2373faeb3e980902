// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package targets

import (
	"context"
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

// TestRequests tests the map functions of references and of a function that returns keys.
func TestRequests(t *testing.T) {
	scheme := runtime.NewScheme()
	if err := AddToScheme(scheme); err != nil {
		t.Fatal(err)
	}
	gadget := example()
	gadget.Spec.Secrets = []SecretRef{{Namespace: "own", Name: "s"}}
	gadgets := NewGadgetReader(WithGadgetIndexes(fake.NewClientBuilder().WithScheme(scheme).WithObjects(gadget)).Build())
	for _, test := range []struct {
		name      string
		requests  func(context.Context, client.Object) []reconcile.Request
		namespace string
		want      int
	}{
		{"a reference", gadgets.RequestsBySecret, "own", 1},
		{"a reference to another", gadgets.RequestsBySecret, "backup", 0},
		{"a function", gadgets.RequestsByBackup, "backup", 1},
		{"a function, another object", gadgets.RequestsByBackup, "own", 0},
	} {
		secret := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: test.namespace, Name: "s"}}
		want := slices.Repeat([]reconcile.Request{{NamespacedName: client.ObjectKeyFromObject(gadget)}}, test.want)
		if got := test.requests(t.Context(), secret); !slices.Equal(got, want) {
			t.Errorf("%s: the requests are %v, want %v", test.name, got, want)
		}
	}
}
