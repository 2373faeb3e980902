// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package ctrlruntime

import (
	"context"
	"fmt"
	"iter"
	"reflect"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

// EnqueueMany returns a handler for Watches that enqueues a request for every object that concerns
// yields. concerns is usually a question to an emitted lister:
//
//	builder.ControllerManagedBy(mgr).
//		For(&v1.CronJob{}).
//		Watches(&corev1.Secret{}, ctrlruntime.EnqueueMany(
//			func(s *corev1.Secret) iter.Seq[*v1.CronJob] { return cronJobs.BySecret(client.ObjectKeyFromObject(s)) }))
//
// For an update, concerns is called with the old and the new object. An event enqueues each request once.
// Requests of the initial list and of resyncs have the priority handler.LowPriority. S must be the type that
// is watched; the handler logs events of other types as errors and drops them.
func EnqueueMany[S client.Object, T metav1.Object](concerns func(S) iter.Seq[T]) handler.EventHandler {
	return handler.EnqueueRequestsFromMapFunc(func(ctx context.Context, obj client.Object) []reconcile.Request {
		s, ok := obj.(S)
		if !ok {
			err := fmt.Errorf("the handler of EnqueueMany is for %v, but gets a %T: pass it to Watches of %[1]v",
				reflect.TypeFor[S](), obj)
			log.FromContext(ctx).Error(err, "Dropping an event", "namespace", obj.GetNamespace(), "name", obj.GetName())
			return nil
		}
		return requests(concerns(s))
	})
}

// TypedEnqueueMany is [EnqueueMany] for [Source] and source.Kind, which have typed handlers.
func TypedEnqueueMany[S client.Object, T metav1.Object](
	concerns func(S) iter.Seq[T],
) handler.TypedEventHandler[S, reconcile.Request] {
	return handler.TypedEnqueueRequestsFromMapFunc(func(_ context.Context, s S) []reconcile.Request {
		return requests(concerns(s))
	})
}

func requests[T metav1.Object](objs iter.Seq[T]) (all []reconcile.Request) {
	for obj := range objs {
		key := types.NamespacedName{Namespace: obj.GetNamespace(), Name: obj.GetName()}
		all = append(all, reconcile.Request{NamespacedName: key})
	}
	return all
}
