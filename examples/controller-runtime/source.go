// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/indexer-gen/indexer-gen/runtime/informer"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/util/workqueue"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
	"sigs.k8s.io/controller-runtime/pkg/source"
)

// Source fills the work queue of one controller with what the changes that an
// informer sees concern. A nil key asks for nothing.
type Source[T metav1.Object] struct {
	informer *informer.Informer[T]
	concerns func(obj T) *types.NamespacedName
	added    *informer.Registration
}

var _ source.SyncingSource = &Source[metav1.Object]{}

// NewSource returns a source for one controller. concerns returns the key to reconcile if
// obj changes, or nil. It is called with the old and the new object. The informer waits
// for it, so it must be fast.
func NewSource[T metav1.Object](
	i *informer.Informer[T],
	concerns func(obj T) *types.NamespacedName,
) *Source[T] {
	return &Source[T]{informer: i, concerns: concerns}
}

// String names the source in the controller's log, which would else print all of it.
func (s *Source[T]) String() string {
	return fmt.Sprintf("informer of %s", s.informer.Resource().GroupResource())
}

// Start has queue be filled until ctx ends, which is when the controller stops. The
// controller calls it once, before WaitForSync.
func (s *Source[T]) Start(
	ctx context.Context,
	queue workqueue.TypedRateLimitingInterface[reconcile.Request],
) error {
	if s.added != nil {
		return errors.New("a Source is for one controller, and was started already; make one for each")
	}
	s.added = s.informer.AddEventHandler(
		enqueue[T]{queue: queue, concerns: s.concerns},
		informer.WithHandlerName(s.String()),
	)
	context.AfterFunc(ctx, s.added.Remove)
	return nil
}

// WaitForSync waits until all that existed is in the queue. The controller starts its
// workers after that, so that the first of them finds all of it by the indexes.
func (s *Source[T]) WaitForSync(ctx context.Context) error { return s.added.WaitForSync(ctx) }

// enqueue is a handler that adds keys to a work queue, which forgets doubles.
type enqueue[T metav1.Object] struct {
	queue    workqueue.TypedRateLimitingInterface[reconcile.Request]
	concerns func(T) *types.NamespacedName
}

func (e enqueue[T]) add(obj T) {
	if key := e.concerns(obj); key != nil {
		e.queue.Add(reconcile.Request{NamespacedName: *key})
	}
}

// OnAdd implements informer.Handler.
func (e enqueue[T]) OnAdd(obj T, _ bool) { e.add(obj) }

// OnUpdate implements informer.Handler. What the object concerned before it changed
// must see that it does no longer.
func (e enqueue[T]) OnUpdate(old, obj T) {
	e.add(old)
	e.add(obj)
}

// OnDelete implements informer.Handler.
func (e enqueue[T]) OnDelete(t informer.Tombstone[T]) {
	e.add(t.Last)
	e.add(t.Object)
}
