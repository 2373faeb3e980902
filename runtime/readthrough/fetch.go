// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package readthrough

import (
	"context"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/types"

	"github.com/indexer-gen/indexer-gen/runtime/source"
	"github.com/indexer-gen/indexer-gen/runtime/store"
)

// flight is a request for one object, on which all callers of Get for its key wait. It ends when the last of
// them has left.
type flight[T metav1.Object] struct {
	asked   version
	cancel  context.CancelFunc
	callers int           // guarded by Cache.mu
	done    chan struct{} // closed once the fields below are set

	body  T
	found bool // the server has the object
	err   error
}

// fetch joins the request for key, or starts it, and waits for its end.
func (c *Cache[M, T]) fetch(ctx context.Context, key types.NamespacedName, at version) (*flight[T], error) {
	c.mu.Lock()
	f := c.flights[key]
	if f == nil {
		asking, cancel := context.WithCancel(context.WithoutCancel(ctx))
		f = &flight[T]{asked: at, cancel: cancel, done: make(chan struct{})}
		c.flights[key] = f
		go c.fly(asking, key, f)
	}
	f.callers++
	c.mu.Unlock()
	select {
	case <-f.done:
		return f, f.err
	case <-ctx.Done():
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if f.callers--; f.callers == 0 {
		f.cancel()
		c.land(key, f)
	}
	return nil, context.Cause(ctx)
}

// fly makes the request of f.
func (c *Cache[M, T]) fly(ctx context.Context, key types.NamespacedName, f *flight[T]) {
	defer f.cancel()
	f.body, f.found, f.err = c.read(ctx, key, f.asked.resourceVersion)
	if apierrors.IsTimeout(f.err) { // this server may lag behind that of the watch
		f.body, f.found, f.err = c.read(ctx, key, "")
	}
	var size int64
	if f.found {
		size = sizeOf(f.body)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.land(key, f)
	if f.found {
		c.keep(held[T]{key, f.asked.epoch, f.body, size})
	}
	close(f.done)
}

// land lets the next Get make a request of its own. It requires c.mu.
func (c *Cache[M, T]) land(key types.NamespacedName, f *flight[T]) {
	if c.flights[key] == f {
		delete(c.flights, key)
	}
}

// read lists the object of key, in resourceVersion or a later state.
func (c *Cache[M, T]) read(
	ctx context.Context, key types.NamespacedName, resourceVersion string,
) (body T, found bool, err error) {
	opts := metav1.ListOptions{
		FieldSelector:   fields.OneTermEqualSelector(metav1.ObjectNameField, key.Name).String(),
		ResourceVersion: resourceVersion,
	}
	if resourceVersion != "" {
		opts.ResourceVersionMatch = metav1.ResourceVersionMatchNotOlderThan
	}
	_, err = c.in(key.Namespace).List(ctx, opts, func(item source.Item[T]) error {
		switch {
		case item.Err != nil && (item.Key == nil || *item.Key == key):
			return item.Err
		case item.Err == nil && store.KeyOf(item.Object) == key:
			body, found = item.Object, true
		}
		return nil
	})
	return body, found && err == nil, err
}
