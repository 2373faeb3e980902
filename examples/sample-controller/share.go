// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package samplecontroller

import (
	"context"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"
	clientset "k8s.io/sample-controller/pkg/generated/clientset/versioned"

	"github.com/indexer-gen/indexer-gen/runtime/clientgo"
)

// byNamespace is the index that client-go's listers need.
var byNamespace = cache.Indexers{cache.NamespaceIndex: cache.MetaNamespaceIndexFunc}

// NewFoos returns the informer of Foos for a factory. ToListWatcherWithWatchListSemantics tells that a fake
// client has no WatchLists, as in the informers that client-gen generates.
func NewFoos(client clientset.Interface, resync time.Duration) cache.SharedIndexInformer {
	foos := client.SamplecontrollerV1alpha1().Foos(metav1.NamespaceAll)
	lw := &cache.ListWatch{
		ListWithContextFunc: func(ctx context.Context, opts metav1.ListOptions) (runtime.Object, error) {
			return foos.List(ctx, opts)
		},
		WatchFuncWithContext: func(ctx context.Context, opts metav1.ListOptions) (watch.Interface, error) {
			return foos.Watch(ctx, opts)
		},
	}
	return clientgo.NewSharedIndexInformer(
		cache.ToListWatcherWithWatchListSemantics(lw, client), &Foo{}, resync, byNamespace)
}

// NewDeployments returns the informer of Deployments for a factory.
func NewDeployments(client kubernetes.Interface, resync time.Duration) cache.SharedIndexInformer {
	deployments := client.AppsV1().Deployments(metav1.NamespaceAll)
	lw := &cache.ListWatch{
		ListWithContextFunc: func(ctx context.Context, opts metav1.ListOptions) (runtime.Object, error) {
			return deployments.List(ctx, opts)
		},
		WatchFuncWithContext: func(ctx context.Context, opts metav1.ListOptions) (watch.Interface, error) {
			return deployments.Watch(ctx, opts)
		},
	}
	return clientgo.NewSharedIndexInformer(
		cache.ToListWatcherWithWatchListSemantics(lw, client), &Deployment{}, resync, byNamespace)
}
