// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package cache

import (
	"context"
	"sync"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/tools/cache"

	"github.com/indexer-gen/indexer-gen/runtime/delta"
	"github.com/indexer-gen/indexer-gen/runtime/source"
)

// sourceOf returns lw as a source of Pods that reads through a typed client.
func sourceOf(lw ListerWatcher) (*podClient, source.Source[*corev1.Pod]) {
	client := &podClient{lw: cache.ToListerWatcherWithContext(lw)}
	return client, source.FromClient(client, func(l *corev1.PodList) []corev1.Pod { return l.Items })
}

// podClient is a ListerWatcher as a typed client.
type podClient struct {
	lw   cache.ListerWatcherWithContext
	mu   sync.Mutex
	last error // that a call has returned
}

func (c *podClient) failed(err error) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err != nil {
		c.last = err
	}
	return err
}

func (c *podClient) failure() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.last
}

func (c *podClient) List(ctx context.Context, opts metav1.ListOptions) (*corev1.PodList, error) {
	list, err := c.lw.ListWithContext(ctx, opts)
	if pods, ok := list.(*corev1.PodList); ok || err != nil {
		return pods, c.failed(err)
	}
	pods := &corev1.PodList{}
	err = meta.EachListItem(list, func(obj runtime.Object) error {
		pods.Items = append(pods.Items, *obj.(*corev1.Pod))
		return nil
	})
	if accessor, ok := list.(metav1.ListMetaAccessor); ok {
		pods.ResourceVersion = accessor.GetListMeta().GetResourceVersion()
	}
	return pods, c.failed(err)
}

func (c *podClient) Watch(ctx context.Context, opts metav1.ListOptions) (watch.Interface, error) {
	opts.Watch = false // typed clients set it themselves
	w, err := c.lw.WatchWithContext(ctx, opts)
	return w, c.failed(err)
}

// sink passes the deltas of a reflector to a store or queue.
type sink struct {
	store ReflectorStore
	reach func(resourceVersion string, list bool)
}

func (s *sink) Push(_ context.Context, d delta.Delta[types.NamespacedName, *corev1.Pod], rv string) error {
	var err error
	switch d.Type {
	case delta.Added:
		err = s.store.Add(d.Object)
	case delta.Updated:
		err = s.store.Update(d.Object)
	case delta.Deleted:
		err = s.store.Delete(d.Object)
	}
	if err == nil && rv != "" {
		s.reach(rv, false)
	}
	return err
}

func (s *sink) Replace(_ context.Context, list delta.Batch[types.NamespacedName, *corev1.Pod]) error {
	var objects []any
	for _, d := range list.Deltas {
		if d.Type == delta.Replaced {
			objects = append(objects, d.Object)
		}
	}
	s.reach(list.ResourceVersion, true)
	return s.store.Replace(objects, list.ResourceVersion)
}

func (s *sink) Bookmark(resourceVersion string) error {
	s.reach(resourceVersion, false)
	return nil
}
