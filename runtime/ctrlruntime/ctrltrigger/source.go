// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package ctrltrigger

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"sync/atomic"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/util/workqueue"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/priorityqueue"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
	"sigs.k8s.io/controller-runtime/pkg/source"

	"github.com/indexer-gen/indexer-gen/runtime/trigger"
)

// Requests returns a source of requests for the keys of t, for one controller. Another controller needs a trigger
// of its own, because the sources of one trigger share its keys:
//
//	builder.ControllerManagedBy(mgr).Named("route").WatchesRawSource(ctrltrigger.Requests(t))
//
// Requests of initial lists have the priority handler.LowPriority. At level 1, the log of the controller has
// the causes of each request. The controller starts its workers when the informers of t have synced. If
// they do not sync in the CacheSyncTimeout of the controller, it fails with an error that says why.
func Requests[T metav1.Object](t *trigger.Trigger[T]) source.SyncingSource {
	return &requests[T]{trigger: t}
}

type requests[T metav1.Object] struct {
	trigger *trigger.Trigger[T]
	started atomic.Bool
}

// String names the source in the logs of the controller.
func (s *requests[T]) String() string { return "triggers of " + s.trigger.Stats()[0].Edge }

// Start implements source.Source. The controller calls it once, before WaitForSync.
func (s *requests[T]) Start(
	ctx context.Context, queue workqueue.TypedRateLimitingInterface[reconcile.Request],
) error {
	if s.started.Swap(true) {
		return errors.New("the source was started already: make a trigger and a source for each controller")
	}
	go func() { // until Keys end
		logger := log.FromContext(ctx).V(1)
		for key, causes := range s.trigger.Keys(ctx) {
			request := reconcile.Request{NamespacedName: key}
			logger.Info("Triggered", "object", key, "causes", causes)
			if prioritized, ok := queue.(priorityqueue.PriorityQueue[reconcile.Request]); ok && causes.Initial() {
				low := handler.LowPriority
				prioritized.AddWithOpts(priorityqueue.AddOpts{Priority: &low}, request)
			} else {
				queue.Add(request)
			}
		}
	}()
	return nil
}

// WaitForSync implements source.SyncingSource. It returns nil if ctx is canceled, because a controller that
// is stopped has not failed.
func (s *requests[T]) WaitForSync(ctx context.Context) error {
	err := s.trigger.WaitForSync(ctx)
	if errors.Is(ctx.Err(), context.Canceled) {
		return nil
	}
	return err
}

// MapFunc returns the requests to which e leads from an object. Use it for Watches whose events do not come
// from the informer of e, such as those of another cluster:
//
//	Watches(&corev1.Secret{}, handler.EnqueueRequestsFromMapFunc(ctrltrigger.MapFunc(e)))
//
// Changed and After do not apply, and If is tested for each state that Watches passes. S must be the type
// that is watched; objects of other types are logged as errors and dropped.
func MapFunc[S client.Object, T metav1.Object](e *trigger.Edge[S, T]) handler.MapFunc {
	return func(ctx context.Context, obj client.Object) (all []reconcile.Request) {
		s, ok := obj.(S)
		if !ok {
			err := fmt.Errorf("the mapping is for %v, but gets a %T: pass it to Watches of %[1]v",
				reflect.TypeFor[S](), obj)
			log.FromContext(ctx).Error(err, "Dropping an event", "namespace", obj.GetNamespace(), "name", obj.GetName())
			return nil
		}
		for key := range e.Concerned(s) {
			if request := (reconcile.Request{NamespacedName: key}); !slices.Contains(all, request) {
				all = append(all, request)
			}
		}
		return all
	}
}
