// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"

	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	fleet "github.com/indexer-gen/indexer-gen/examples/quickstart/api/v1alpha1"
	"github.com/indexer-gen/indexer-gen/hack/internal/process"
	"github.com/indexer-gen/indexer-gen/hack/internal/table"
	"github.com/indexer-gen/indexer-gen/runtime/clientgo"
	"github.com/indexer-gen/indexer-gen/runtime/ctrlruntime"
	"github.com/indexer-gen/indexer-gen/runtime/store"
)

// reconcilers is how many reconcilers a manager of Devices has.
const reconcilers = 3

// reconcileDevices measures a variant for Devices.
func reconcileDevices(ctx context.Context, _ *process.Caller, j job) (figures, error) {
	switch variant, isIdle := strings.CutSuffix(j.Variant, idle); {
	case variant == alone:
		return hold(ctx, j)
	case isIdle:
		return manage(ctx, variant, j, 0)
	default:
		return manage(ctx, variant, j, reconcilers)
	}
}

// hold lists the Devices into a slice.
func hold(ctx context.Context, j job) (figures, error) {
	c, err := newClient(j.Endpoint)
	if err != nil {
		return nil, err
	}
	var devices []*fleet.Device
	for more := ""; ; {
		page := &fleet.DeviceList{}
		if err := c.List(ctx, page, client.Limit(500), client.Continue(more)); err != nil {
			return nil, err
		}
		for _, d := range page.Items {
			devices = append(devices, &d)
		}
		if more = page.Continue; more == "" {
			break
		}
	}
	f := figures{}
	f.synced()
	f["live"] = float64(process.LiveHeap(devices))
	return f, nil
}

// manage runs a manager until each of its reconcilers has been called for each Device.
func manage(ctx context.Context, variant string, j job, reconcilers int) (figures, error) {
	watches := &requests{matches: func(r *http.Request) bool { return r.URL.Query().Get("watch") != "" }}
	c := configOf(j.Endpoint)
	c.WrapTransport = watches.wrap
	opts := managerOptions()
	switch variant {
	case newInformer:
		opts.Cache.NewInformer = clientgo.NewSharedIndexInformer
	case newCache:
		opts.NewCache = ctrlruntime.NewCache
	}
	m, err := manager.New(c, opts)
	if err != nil {
		return nil, err
	}
	var typed *store.Store[types.NamespacedName, *fleet.Device]
	if variant != theirs {
		if typed, err = ctrlruntime.StoreOf[*fleet.Device](ctx, m.GetCache()); err != nil {
			return nil, err
		}
	}
	err = m.GetFieldIndexer().IndexField(ctx, &fleet.Device{}, "site", func(obj client.Object) []string {
		return []string{obj.(*fleet.Device).Spec.Site}
	})
	if err != nil {
		return nil, err
	}
	r := &deviceReconciler{reader: m.GetClient(), done: make(chan struct{})}
	r.left.Store(int64(reconcilers * j.Objects))
	if reconcilers == 0 {
		close(r.done)
	}
	for i := range reconcilers {
		err := builder.ControllerManagedBy(m).Named(fmt.Sprint("reconciler-", i)).For(&fleet.Device{}).Complete(r)
		if err != nil {
			return nil, err
		}
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	ended, err := start(ctx, m)
	if err != nil {
		return nil, err
	}
	f := figures{}
	f.synced()
	select {
	case <-r.done:
	case err := <-ended:
		return nil, errors.Join(errors.New("the manager has ended"), err)
	}
	f["live"], f["watches"] = float64(process.LiveHeap(m)), watches.take()
	if err := f.read(ctx, m.GetCache(), typed, j.Objects); err != nil {
		return nil, err
	}
	cancel()
	return f, <-ended
}

// deviceReconciler reads the Device that it is called for. It closes done when no call is left.
type deviceReconciler struct {
	reader client.Reader
	left   atomic.Int64
	done   chan struct{}
}

func (r *deviceReconciler) Reconcile(ctx context.Context, req reconcile.Request) (reconcile.Result, error) {
	if err := r.reader.Get(ctx, req.NamespacedName, &fleet.Device{}); err != nil {
		return reconcile.Result{}, err
	}
	if r.left.Add(-1) == 0 {
		close(r.done)
	}
	return reconcile.Result{}, nil
}

// copied keeps the items of the loop on the heap, as those of a List are.
var copied *fleet.DeviceList

// read measures reads of the Devices of one site, in turn. typed is nil if there is no typed store.
func (f figures) read(
	ctx context.Context, c cache.Cache, typed *store.Store[types.NamespacedName, *fleet.Device], devices int,
) error {
	site := fmt.Sprint("site-", devices/perSite/2)
	reads := []func() int{func() int {
		list := &fleet.DeviceList{}
		_ = c.List(ctx, list, client.MatchingFields{"site": site})
		return len(list.Items)
	}}
	if typed != nil {
		lister := fleet.NewDeviceLister(typed)
		reads = append(reads, func() (n int) {
			copied = &fleet.DeviceList{Items: make([]fleet.Device, perSite)}
			for d := range lister.BySite(site) {
				d.DeepCopyInto(&copied.Items[n])
				n++
			}
			return n
		}, func() (n int) {
			for range lister.BySite(site) {
				n++
			}
			return n
		})
	}
	for _, read := range reads {
		if n := read(); n != perSite {
			return fmt.Errorf("read %d Devices of a site, want %d", n, perSite)
		}
	}
	for i, micros := range perCall(reads) {
		f[[]string{"list", "loop", "typed"}[i]] = micros
	}
	return nil
}

// perCall returns the processor times of calls in microseconds: medians of rounds in which they take turns. They
// include the collection of garbage.
func perCall(all []func() int) (medians []float64) {
	const rounds, calls = 9, 500 // enough calls for many collections of garbage
	times := make([][]float64, len(all))
	for range rounds {
		for i, f := range all {
			began := process.CPU()
			for range calls {
				f()
			}
			times[i] = append(times[i], float64((process.CPU()-began).Nanoseconds())/1000/calls)
		}
	}
	for _, t := range times {
		medians = append(medians, table.Median(t, func(one float64) float64 { return one }))
	}
	return medians
}
