// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"strconv"

	fleet "github.com/indexer-gen/indexer-gen/examples/quickstart/api/v1alpha1"
	"github.com/indexer-gen/indexer-gen/runtime/ctrlruntime"
	"github.com/indexer-gen/indexer-gen/runtime/ctrlruntime/ctrltrigger"
	"github.com/indexer-gen/indexer-gen/runtime/informer"
	"github.com/indexer-gen/indexer-gen/runtime/prometheus"
	"github.com/indexer-gen/indexer-gen/runtime/trigger"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/metrics"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

// offlineAnnotation holds the number of offline devices of a Site.
const offlineAnnotation = "fleet.example.com/offline"

// reconciler keeps the annotation of Sites.
type reconciler struct {
	sites   fleet.SiteLister
	devices fleet.DeviceLister
	writer  client.Writer
}

// addToCache adds the controller to a manager whose cache is from ctrlruntime.NewCache. The listers read the
// objects of that cache. The manager serves the metrics of its informers with its own.
func addToCache(ctx context.Context, m manager.Manager) error {
	sites, err := ctrlruntime.InformerOf[*fleet.Site](ctx, m.GetCache())
	if err != nil {
		return err
	}
	devices, err := ctrlruntime.InformerOf[*fleet.Device](ctx, m.GetCache())
	if err != nil {
		return err
	}
	if err := m.AddReadyzCheck("cache", ctrlruntime.CacheReady(m.GetCache())); err != nil {
		return err
	}
	metrics.Registry.MustRegister(prometheus.NewCollector(ctrlruntime.Stats(m.GetCache())))
	r := &reconciler{fleet.NewSiteLister(sites.Store()), fleet.NewDeviceLister(devices.Store()), m.GetClient()}
	return r.add(m, sites, devices)
}

// addInformers adds the controller and informers of its own to a manager with any cache.
func addInformers(m manager.Manager, informers *fleet.Informers) error {
	sites, devices := informers.Sites(), informers.Devices()
	running := &ctrlruntime.Runnable{Runner: informers}
	if err := m.Add(running); err != nil {
		return err
	}
	if err := m.AddReadyzCheck("informers", running.Ready); err != nil {
		return err
	}
	r := &reconciler{sites.Lister(), devices.Lister(), m.GetClient()}
	return r.add(m, sites, devices)
}

// add adds the controller: a Site is reconciled when it changes, and when one of its Devices does.
func (r *reconciler) add(
	m manager.Manager, sites informer.Interface[*fleet.Site], devices informer.Interface[*fleet.Device],
) error {
	t := trigger.For(sites)
	trigger.OnRefs(t, devices, fleet.IndexDeviceBySite)
	return builder.ControllerManagedBy(m).
		Named("site").
		WatchesRawSource(ctrltrigger.Requests(t)).
		Complete(r)
}

// Reconcile counts the offline devices of a Site. It reads from memory. The Site that Get
// returns is shared with the cache, so change a copy.
func (r *reconciler) Reconcile(ctx context.Context, req reconcile.Request) (reconcile.Result, error) {
	site, err := r.sites.Get(req.Name)
	if err != nil {
		return reconcile.Result{}, client.IgnoreNotFound(err)
	}
	offline := 0
	for range r.devices.BySitePhase(site.Name, fleet.DeviceOffline) {
		offline++
	}
	want := strconv.Itoa(offline)
	if site.Annotations[offlineAnnotation] == want {
		return reconcile.Result{}, nil
	}
	changed := site.DeepCopy()
	if changed.Annotations == nil {
		changed.Annotations = map[string]string{}
	}
	changed.Annotations[offlineAnnotation] = want
	err = r.writer.Patch(ctx, changed, client.MergeFrom(site))
	if apierrors.IsNotFound(err) {
		err = nil // it has gone meanwhile
	}
	return reconcile.Result{}, err
}
