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
	return cache.ToListWatcherWithWatchListSemantics(&cache.ListWatch{
		ListWithContextFunc: func(ctx context.Context, opts metav1.ListOptions) (runtime.Object, error) {
			tweak(&opts)
			return c.List(ctx, opts)
		},
		WatchFuncWithContext: func(ctx context.Context, opts metav1.ListOptions) (watch.Interface, error) {
			tweak(&opts)
			return c.Watch(ctx, opts)
		},
	}, noWatchList(source.IsFake(c)))
}

// noWatchList says whether a client does not support WatchLists.
type noWatchList bool

// IsWatchListSemanticsUnSupported is the method by which client-go recognizes clients without WatchLists.
func (no noWatchList) IsWatchListSemanticsUnSupported() bool { return bool(no) }
