// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package monitors makes a ServiceMonitor for each Site, if the cluster has the type. Its manager starts without
// ServiceMonitors, begins when they are installed, and goes on when they are removed.
package monitors

import (
	"context"

	fleet "github.com/indexer-gen/indexer-gen/examples/quickstart/api/v1alpha1"
	"github.com/indexer-gen/indexer-gen/runtime/ctrlruntime"
	"github.com/indexer-gen/indexer-gen/runtime/ctrlruntime/ctrlabsent"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

// namespace has the ServiceMonitors.
const namespace = "monitoring"

var kind = schema.GroupVersionKind{Group: "monitoring.coreos.com", Version: "v1", Kind: "ServiceMonitor"}

// newMonitor returns a ServiceMonitor without fields. A program that has its Go type uses that.
func newMonitor() *unstructured.Unstructured {
	u := &unstructured.Unstructured{}
	u.SetGroupVersionKind(kind)
	return u
}

// newCache is NewCache of the manager.
func newCache() cache.NewCacheFunc {
	return ctrlruntime.NewCacheWith(ctrlabsent.MayBeAbsent(newMonitor(), "servicemonitors", meta.RESTScopeNamespace))
}

// add adds the controller to m.
func add(m manager.Manager) error {
	r := &reconciler{cached: m.GetCache(), client: m.GetClient()}
	bySite := handler.EnqueueRequestsFromMapFunc(func(_ context.Context, monitor client.Object) []reconcile.Request {
		return []reconcile.Request{{NamespacedName: types.NamespacedName{Name: monitor.GetName()}}}
	})
	return builder.ControllerManagedBy(m).Named("monitors").
		For(&fleet.Site{}).
		Watches(newMonitor(), bySite).
		WatchesRawSource(ctrlabsent.WhenPresent(m.GetCache(), newMonitor(), r.all)).
		Complete(r)
}

type reconciler struct {
	cached client.Reader
	client client.Client
}

// all returns a request for each Site.
func (r *reconciler) all(ctx context.Context) (requests []reconcile.Request) {
	var sites fleet.SiteList
	if err := r.cached.List(ctx, &sites); err != nil {
		return nil // the cache ends
	}
	for _, s := range sites.Items {
		requests = append(requests, reconcile.Request{NamespacedName: types.NamespacedName{Name: s.Name}})
	}
	return requests
}

// Reconcile makes the ServiceMonitor of a Site. Without the type there is nothing to do: WhenPresent adds a request
// when it comes.
func (r *reconciler) Reconcile(ctx context.Context, request reconcile.Request) (reconcile.Result, error) {
	var site fleet.Site
	if err := r.cached.Get(ctx, request.NamespacedName, &site); err != nil {
		return reconcile.Result{}, client.IgnoreNotFound(err)
	}
	monitor := newMonitor()
	err := r.cached.Get(ctx, client.ObjectKey{Namespace: namespace, Name: site.Name}, monitor)
	if meta.IsNoMatchError(err) {
		return reconcile.Result{}, nil
	}
	if !apierrors.IsNotFound(err) {
		return reconcile.Result{}, err
	}
	monitor.SetNamespace(namespace)
	monitor.SetName(site.Name)
	return reconcile.Result{}, client.IgnoreAlreadyExists(r.client.Create(ctx, monitor))
}
