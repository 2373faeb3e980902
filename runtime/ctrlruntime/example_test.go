// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package ctrlruntime_test

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/kubernetes/scheme"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/indexer-gen/indexer-gen/runtime/ctrlruntime"
	"github.com/indexer-gen/indexer-gen/runtime/informer"
	"github.com/indexer-gen/indexer-gen/runtime/store"
)

// A controller for Secrets of one type.
func ExampleSource() {
	add := func(mgr ctrl.Manager, secrets *informer.Informer[*corev1.Secret], r reconcile.Reconciler) error {
		enqueue := &handler.TypedEnqueueRequestForObject[*corev1.Secret]{}
		isTLS := predicate.NewTypedPredicateFuncs(func(s *corev1.Secret) bool {
			return s.Type == corev1.SecretTypeTLS
		})
		return ctrl.NewControllerManagedBy(mgr).
			Named("tls").
			WatchesRawSource(ctrlruntime.Source(secrets, enqueue, isTLS)).
			Complete(r)
	}
	_ = add
}

// An informer reads from the fake client of a test.
func ExampleFromClient() {
	c := fake.NewClientBuilder().WithScheme(scheme.Scheme).WithObjects(newSecret("a", nil)).Build()
	items := func(l *corev1.SecretList) []corev1.Secret { return l.Items }
	src := ctrlruntime.FromClient(c, "ns", items)

	secrets := informer.New(corev1.SchemeGroupVersion.WithResource("secrets"), src, store.ForObjects[*corev1.Secret]())
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error)
	go func() { ended <- secrets.Run(ctx) }()
	if err := secrets.WaitForSync(ctx); err != nil {
		fmt.Println(err)
	}
	got, ok := secrets.Store().Reader().Get(client.ObjectKey{Namespace: "ns", Name: "a"})
	fmt.Println(got.Name, ok)
	cancel()
	fmt.Println(<-ended)
	// Output:
	// a true
	// <nil>
}
