// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package project is a controller that uses client-go, controller-runtime and informers
// of its own at once, on whatever release of Kubernetes its go.mod has.
package project

import (
	"context"

	"github.com/indexer-gen/indexer-gen/runtime/informer"
	"github.com/indexer-gen/indexer-gen/runtime/kubeconn"
	"github.com/indexer-gen/indexer-gen/runtime/wire"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/util/workqueue"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
	"sigs.k8s.io/controller-runtime/pkg/source"

	v1 "example.com/project/api/v1"
)

var _ client.Object = &v1.Widget{}

// enqueue returns a source that queues each Widget that changes.
func enqueue(widgets *v1.WidgetInformer) source.Source {
	return source.Func(func(_ context.Context, queue workqueue.TypedRateLimitingInterface[reconcile.Request]) error {
		add := func(w *v1.Widget) {
			queue.Add(reconcile.Request{NamespacedName: types.NamespacedName{Namespace: w.Namespace, Name: w.Name}})
		}
		widgets.AddEventHandler(informer.HandlerFuncs[*v1.Widget]{
			AddFunc:    func(w *v1.Widget, _ bool) { add(w) },
			UpdateFunc: func(_, w *v1.Widget) { add(w) },
		})
		return nil
	})
}

// AddTo adds a controller to m that reads through an HTTP connection of its own.
func AddTo(m manager.Manager, r reconcile.Reconciler) error {
	conn, err := kubeconn.FromConfig(m.GetConfig())
	if err != nil {
		return err
	}
	informers := v1.NewInformers(v1.InformerSources{Widgets: wire.Source[*v1.Widget](conn, v1.WidgetsResource)})
	if err := m.Add(manager.RunnableFunc(informers.Run)); err != nil {
		return err
	}
	return builder.ControllerManagedBy(m).Named("widgets").WatchesRawSource(enqueue(informers.Widgets())).Complete(r)
}
