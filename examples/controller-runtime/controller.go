// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"strconv"

	fleet "github.com/indexer-gen/indexer-gen/examples/quickstart/api/v1alpha1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/manager"
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

// addTo adds the informers and the controller to a manager.
func addTo(m manager.Manager, informers *fleet.Informers) error {
	sites, devices := informers.Sites(), informers.Devices()
	if err := m.Add(running{informers.Factory}); err != nil {
		return err
	}
	return builder.ControllerManagedBy(m).
		Named("site").
		WatchesRawSource(NewSource(sites.Informer, func(s *fleet.Site) *types.NamespacedName {
			return &types.NamespacedName{Name: s.Name}
		})).
		WatchesRawSource(NewSource(devices.Informer, func(d *fleet.Device) *types.NamespacedName {
			return &types.NamespacedName{Name: d.Spec.Site}
		})).
		Complete(&reconciler{sites: sites.Lister(), devices: devices.Lister(), writer: m.GetClient()})
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
