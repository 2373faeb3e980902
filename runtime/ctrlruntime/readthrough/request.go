// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package readthrough

import (
	"context"
	"time"

	"github.com/indexer-gen/indexer-gen/runtime/delta"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/types"

	"github.com/indexer-gen/indexer-gen/runtime/source"
)

// requestTimeout ends a request that stalls, for example in a proxy. Callers may have no deadline.
const requestTimeout = time.Minute

// request is a request for one object, on which all callers of Get for its key wait. It ends when the last of
// them has left.
type request[T metav1.Object] struct {
	requestedAt version
	cancel      context.CancelFunc
	callers     int           // guarded by Cache.mu
	done        chan struct{} // closed once the fields below are set

	body  T
	found bool // the server has the object
	err   error
}

// fetch joins the request for key, or starts it, and waits for its end.
func (c *Cache[M, T]) fetch(ctx context.Context, key types.NamespacedName, at version) (*request[T], error) {
	c.mu.Lock()
	r := c.requests[key]
	if r == nil {
		running, cancel := context.WithTimeout(context.WithoutCancel(ctx), requestTimeout)
		r = &request[T]{requestedAt: at, cancel: cancel, done: make(chan struct{})}
		c.requests[key] = r
		go c.run(running, key, r)
	}
	r.callers++
	c.mu.Unlock()
	select {
	case <-r.done:
		return r, r.err
	case <-ctx.Done():
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if r.callers--; r.callers == 0 {
		r.cancel()
		c.finish(key, r)
	}
	return nil, context.Cause(ctx)
}

// run sends the request, and once more without a version after a 504: this server may lag behind that of the watch.
func (c *Cache[M, T]) run(ctx context.Context, key types.NamespacedName, r *request[T]) {
	defer r.cancel()
	r.body, r.found, r.err = c.read(ctx, key, r.requestedAt.resourceVersion)
	if apierrors.IsTimeout(r.err) {
		r.body, r.found, r.err = c.read(ctx, key, "")
	}
	var size int64
	if r.found {
		size = sizeOf(r.body)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.finish(key, r)
	if r.found {
		c.keep(held[T]{key, r.requestedAt.epoch, r.body, size})
	}
	close(r.done)
}

// finish lets the next Get send a request of its own. It requires c.mu.
func (c *Cache[M, T]) finish(key types.NamespacedName, r *request[T]) {
	if c.requests[key] == r {
		delete(c.requests, key)
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
	_, err = c.in(key.Namespace).List(ctx, opts, func(d source.Delta[T], err error) error {
		switch {
		case err != nil && (d.Type == delta.NoKey || d.Key == key):
			return err
		case !d.NoObject && d.Key == key:
			body, found = d.Object, true
		}
		return nil
	})
	return body, found && err == nil, err
}
