// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package clientgo

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/tools/cache"

	"github.com/indexer-gen/indexer-gen/runtime/source"
)

// ListWatch returns a cache.ListerWatcher that lists and watches through c, a typed client of one namespace or
// of all:
//
//	clientgo.ListWatch(client.CoreV1().Pods(metav1.NamespaceAll), nil)
//
// tweak changes the options of each request; nil leaves them as they are. A SharedInformerFactory does not
// apply its own namespace and tweak function to an informer that its InformerFor adds: pass both here, or use
// [InformerFor] of this package.
//
// The fake clients of client-gen are recognized: informers do not request WatchLists of them.
func ListWatch[L runtime.Object](c source.Client[L], tweak func(*metav1.ListOptions)) cache.ListerWatcher {
	if tweak == nil {
		tweak = func(*metav1.ListOptions) {}
	}
	return &listWatch[L]{c, tweak}
}

type listWatch[L runtime.Object] struct {
	client source.Client[L]
	tweak  func(*metav1.ListOptions)
}

func (lw *listWatch[L]) List(opts metav1.ListOptions) (runtime.Object, error) {
	return lw.ListWithContext(context.Background(), opts)
}

func (lw *listWatch[L]) Watch(opts metav1.ListOptions) (watch.Interface, error) {
	return lw.WatchWithContext(context.Background(), opts)
}

func (lw *listWatch[L]) ListWithContext(ctx context.Context, opts metav1.ListOptions) (runtime.Object, error) {
	lw.tweak(&opts)
	return lw.client.List(ctx, opts)
}

func (lw *listWatch[L]) WatchWithContext(ctx context.Context, opts metav1.ListOptions) (watch.Interface, error) {
	lw.tweak(&opts)
	return lw.client.Watch(ctx, opts)
}

// IsWatchListSemanticsUnSupported is the method by which client-go recognizes clients without WatchLists.
func (lw *listWatch[L]) IsWatchListSemanticsUnSupported() bool { return source.IsFake(lw.client) }
