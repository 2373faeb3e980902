// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package ctrlruntime

import (
	"context"
	"errors"
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/util/workqueue"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
	"sigs.k8s.io/controller-runtime/pkg/source"

	"github.com/indexer-gen/indexer-gen/runtime/informer"
)

// Source returns a source of events for one controller. The events are the changes of i that pass all
// predicates; h enqueues requests for them. It is to an informer what source.Kind is to a cache:
//
//	builder.ControllerManagedBy(mgr).
//		WatchesRawSource(ctrlruntime.Source(informers.Devices().Informer,
//			&handler.TypedEnqueueRequestForObject[*v1.Device]{}))
//
// All handlers of controller-runtime work, with several requests for an object and requests for its old
// state. They give requests of the initial list the priority handler.LowPriority. The source is lossless,
// so i waits for a slow h; see package informer.
//
// The controller starts its workers when h has returned from all events of the initial list. When it calls
// the reconciler for an object, the listers of i have that object, or a later state of it. If i does not
// sync in the CacheSyncTimeout of the controller, the controller fails with an error that says why.
//
// When the controller stops, h is called no more. The informer runs on; see [Runnable].
func Source[T metav1.Object](
	i *informer.Informer[T], h handler.TypedEventHandler[T, reconcile.Request],
	predicates ...predicate.TypedPredicate[T],
) source.SyncingSource {
	return TypedSource(i, h, predicates...)
}

// TypedSource is [Source] for controllers with requests of another type.
func TypedSource[T metav1.Object, R comparable](
	i *informer.Informer[T], h handler.TypedEventHandler[T, R], predicates ...predicate.TypedPredicate[T],
) source.TypedSyncingSource[R] {
	return &informerSource[T, R]{informer: i, handler: h, passes: predicate.And(predicates...)}
}

type informerSource[T metav1.Object, R comparable] struct {
	informer *informer.Informer[T]
	handler  handler.TypedEventHandler[T, R]
	passes   predicate.TypedPredicate[T]
	added    *informer.Registration // nil before Start
}

// String names the source in the logs of the controller.
func (s *informerSource[T, R]) String() string {
	return fmt.Sprintf("informer source: %v", s.informer.Resource().GroupResource())
}

// Start implements source.TypedSource. The controller calls it once, before WaitForSync.
func (s *informerSource[T, R]) Start(ctx context.Context, queue workqueue.TypedRateLimitingInterface[R]) error {
	if s.added != nil {
		return errors.New("the source was started already: make a source for each controller")
	}
	s.added = s.informer.AddEventHandler(
		&events[T, R]{ctx: ctx, informerSource: s, queue: queue},
		informer.WithHandlerName(s.String()),
	)
	context.AfterFunc(ctx, s.added.Remove)
	return nil
}

// WaitForSync implements source.TypedSyncingSource. It returns nil if ctx is canceled, because a
// controller that is stopped has not failed.
func (s *informerSource[T, R]) WaitForSync(ctx context.Context) error {
	err := s.added.WaitForSync(ctx)
	if errors.Is(ctx.Err(), context.Canceled) {
		return nil
	}
	return err
}

// events is a handler of an informer that calls the handler of a controller.
type events[T metav1.Object, R comparable] struct {
	*informerSource[T, R]
	ctx   context.Context
	queue workqueue.TypedRateLimitingInterface[R]
}

// OnAdd implements informer.Handler.
func (e *events[T, R]) OnAdd(obj T, inInitialList bool) {
	created := event.TypedCreateEvent[T]{Object: obj, IsInInitialList: inInitialList}
	if e.passes.Create(created) {
		e.handler.Create(e.ctx, created, e.queue)
	}
}

// OnUpdate implements informer.Handler.
func (e *events[T, R]) OnUpdate(old, obj T) {
	updated := event.TypedUpdateEvent[T]{ObjectOld: old, ObjectNew: obj}
	if e.passes.Update(updated) {
		e.handler.Update(e.ctx, updated, e.queue)
	}
}

// OnDelete implements informer.Handler.
func (e *events[T, R]) OnDelete(t informer.Tombstone[T]) {
	deleted := event.TypedDeleteEvent[T]{Object: t.Object, DeleteStateUnknown: t.FinalStateUnknown}
	if e.passes.Delete(deleted) {
		e.handler.Delete(e.ctx, deleted, e.queue)
	}
}
