// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	fleet "github.com/indexer-gen/indexer-gen/examples/quickstart/api/v1alpha1"
	"github.com/indexer-gen/indexer-gen/runtime/runtimetest"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/util/workqueue"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

// drain removes all items from the queue.
func drain(queue workqueue.TypedRateLimitingInterface[reconcile.Request]) string {
	var names []string
	for queue.Len() > 0 {
		request, _ := queue.Get()
		queue.Done(request)
		names = append(names, request.Name)
	}
	return strings.Join(names, " ")
}

func TestSource(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		api := runtimetest.NewServer[*fleet.Device]()
		a, b := device("a", "one", fleet.DeviceOnline), device("b", "two", fleet.DeviceOnline)
		api.Set(a)
		api.Set(b)
		api.Set(device("c", "", fleet.DeviceOnline)) // which concerns nothing
		informers := fleet.NewInformers(
			fleet.Sources{Devices: api, Sites: runtimetest.NewServer[*fleet.Site]()},
		)
		defer informers.Shutdown()
		queue := workqueue.NewTypedRateLimitingQueue(
			workqueue.DefaultTypedControllerRateLimiter[reconcile.Request](),
		)
		defer queue.ShutDown()
		src := NewSource(informers.Devices().Informer, func(d *fleet.Device) *types.NamespacedName {
			if d.Spec.Site == "" {
				return nil
			}
			return &types.NamespacedName{Name: d.Spec.Site}
		})
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		if err := src.Start(ctx, queue); err != nil {
			t.Fatal(err)
		}
		if err := src.Start(ctx, queue); err == nil {
			t.Error("a source was started twice")
		}
		informers.Start(t.Context())
		if err := src.WaitForSync(ctx); err != nil {
			t.Fatal(err)
		}
		if got := drain(queue); got != "one two" && got != "two one" {
			t.Errorf("once it has synced, the queue has %q", got)
		}
		a.Spec.Site = "three"
		api.Set(a)
		synctest.Wait()
		if got := drain(queue); got != "one three" {
			t.Errorf("after an update, the queue has %q", got)
		}
		api.Delete(b.Namespace, b.Name)
		synctest.Wait()
		if got := drain(queue); got != "two" {
			t.Errorf("after a deletion, the queue has %q", got)
		}
		cancel()
		synctest.Wait()
		api.Set(device("d", "four", fleet.DeviceOnline))
		synctest.Wait()
		if got := drain(queue); got != "" {
			t.Errorf("after the end, the queue has %q", got)
		}
	})
}

// What keeps an informer from syncing is what the controller fails with.
func TestSourceSaysWhyItDoesNotSync(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		api := runtimetest.NewServer[*fleet.Device]()
		informers := fleet.NewInformers(fleet.Sources{Devices: api})
		defer informers.Shutdown()
		src := NewSource(
			informers.Devices().Informer,
			func(*fleet.Device) *types.NamespacedName { return nil },
		)
		queue := workqueue.NewTypedRateLimitingQueue(
			workqueue.DefaultTypedControllerRateLimiter[reconcile.Request](),
		)
		defer queue.ShutDown()
		if err := src.Start(t.Context(), queue); err != nil {
			t.Fatal(err)
		}
		api.Fail(
			slices.Repeat(
				[]error{apierrors.NewForbidden(fleet.DeviceResource.GroupResource(), "", nil)},
				100,
			)...)
		informers.Start(t.Context())
		ctx, cancel := context.WithCancel(t.Context())
		synctest.Wait()
		cancel()
		if err := src.WaitForSync(ctx); err == nil || !strings.Contains(err.Error(), "forbidden") {
			t.Errorf("it says %v", err)
		}
	})
}
