// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package readthrough

import (
	"container/list"
	"context"
	"fmt"
	"sync"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/indexer-gen/indexer-gen/runtime/informer"
	"github.com/indexer-gen/indexer-gen/runtime/source"
	"github.com/indexer-gen/indexer-gen/runtime/store"
)

// DefaultMaxBytes is the limit of the held objects if New gets 0.
const DefaultMaxBytes = 64 << 20

// watchTimeout is how long Get waits for the watch if the server is ahead of it.
const watchTimeout = 10 * time.Second

// Cache reads objects of type T and holds those that were read. An informer of their metadata, of type M,
// says which are current. Its methods are safe for concurrent use.
type Cache[M, T metav1.Object] struct {
	watch   informer.Interface[M]
	objects store.Reader[types.NamespacedName, M]
	in      func(namespace string) source.Source[T]

	mu       sync.Mutex
	bodies   bodies[T]
	requests map[types.NamespacedName]*request[T]
}

// New returns a Cache for the objects of watch. in returns the source of the whole objects in a namespace, for
// example of wire.Source. maxBytes limits the encoded size of the objects that are held; 0 means [DefaultMaxBytes].
// An object that exceeds it alone is not held.
func New[M, T metav1.Object](
	watch informer.Interface[M], in func(namespace string) source.Source[T], maxBytes int64,
) *Cache[M, T] {
	if maxBytes == 0 {
		maxBytes = DefaultMaxBytes
	}
	c := &Cache[M, T]{
		watch: watch, objects: watch.Store().Reader(), in: in,
		bodies:   bodies[T]{maxBytes: maxBytes, byKey: map[types.NamespacedName]*list.Element{}, recent: list.New()},
		requests: map[types.NamespacedName]*request[T]{},
	}
	watch.AddEventHandler(informer.HandlerFuncs[M]{
		AddFunc:    func(obj M, _ bool) { c.removeStale(store.KeyOf(obj)) },
		UpdateFunc: func(_, obj M) { c.removeStale(store.KeyOf(obj)) },
		DeleteFunc: func(t informer.Tombstone[M]) { c.removeStale(t.Key) },
	}, informer.WithHandlerName("readthrough"))
	return c
}

// Get returns the object of key. It is shared and must not be modified. Get waits for the informer to sync.
//
// The object is at least as new as every event that a handler of the informer has been called for. If the
// informer has no object of key, the error is NotFound of apimachinery, without a request. Other errors are
// the server's, or the cause of ctx.
func (c *Cache[M, T]) Get(ctx context.Context, key types.NamespacedName) (T, error) {
	var none T
	if err := c.watch.WaitForSync(ctx); err != nil {
		return none, c.failed(key, err)
	}
	for {
		at, ok := versionIn(c.objects.Snapshot(), key)
		if !ok {
			return none, apierrors.NewNotFound(c.watch.Resource().GroupResource(), key.Name)
		}
		if body, ok := c.held(key, at); ok {
			return body, nil
		}
		r, err := c.fetch(ctx, key, at)
		switch {
		case apierrors.IsForbidden(err):
			return none, c.failed(key, fmt.Errorf("%w; Get lists the object by its name: grant the verb list", err))
		case err != nil:
			return none, c.failed(key, err)
		case r.found && at.isCurrent(r.requestedAt.epoch, r.body):
			return r.body, nil
		case r.requestedAt != at:
			continue // another Get requested an earlier version, so its answer says nothing about at
		}
		if err := c.await(ctx, key, at); err != nil {
			return none, c.failed(key, err)
		}
	}
}

// failed returns the error of Get. It is not NotFound, because the object may exist although a request got 404.
func (c *Cache[M, T]) failed(key types.NamespacedName, err error) error {
	resource := c.watch.Resource().Resource
	if apierrors.IsNotFound(err) {
		return fmt.Errorf("reading %s %s: %v", resource, key, err)
	}
	return fmt.Errorf("reading %s %s: %w", resource, key, err)
}

// await waits until the watch has another version of key than at, which the server no longer has.
func (c *Cache[M, T]) await(ctx context.Context, key types.NamespacedName, at version) error {
	ctx, cancel := context.WithTimeoutCause(ctx, watchTimeout, fmt.Errorf(
		"it changed on the server after resourceVersion %s, which the watch has not delivered in %v",
		at.resourceVersion, watchTimeout))
	defer cancel()
	return c.objects.WaitUntil(ctx, func(now store.Reader[types.NamespacedName, M]) bool {
		is, ok := versionIn(now, key)
		return !ok || is != at
	})
}
