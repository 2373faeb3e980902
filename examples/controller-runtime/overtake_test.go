// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	fleet "github.com/indexer-gen/indexer-gen/examples/quickstart/api/v1alpha1"
	"github.com/indexer-gen/indexer-gen/runtime/ctrlruntime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

// A Device that is created while 10,000 existing ones wait for a slow worker is reconciled within the next 100,
// and the lister has every Device for which the reconciler is called.
func TestNewObjectsOvertakeTheInitialList(t *testing.T) {
	if testing.Short() {
		t.Skip("creates 10,000 objects")
	}
	const initial, workers = 10000, 8
	m := create(t, options())
	writer := m.GetClient()
	var group sync.WaitGroup
	for worker := range workers {
		group.Go(func() {
			for n := worker; n < initial; n += workers {
				if err := writer.Create(t.Context(), many(fmt.Sprint("initial-", n))); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	group.Wait()
	t.Cleanup(func() {
		// A busy server may not delete all of them in the minute that it gives a request. The next one goes on.
		var err error
		for range 5 {
			if err = writer.DeleteAllOf(context.Background(), &fleet.Device{}, client.InNamespace("many")); err == nil {
				break
			}
		}
		do(t, err)
	})

	informers, err := newInformers(m)
	do(t, err)
	do(t, m.Add(&ctrlruntime.Runnable{Runner: informers}))
	devices := informers.Devices()
	var mu sync.Mutex
	reconciled, missing := 0, 0
	next := make(chan struct{}, 1) // after a reconcile
	found := make(chan int, 1)     // the number of reconciles before the new Device
	slow := reconcile.Func(func(_ context.Context, r reconcile.Request) (reconcile.Result, error) {
		_, err := devices.Lister().Namespace(r.Namespace).Get(r.Name)
		time.Sleep(10 * time.Millisecond) // the work
		mu.Lock()
		defer mu.Unlock()
		if err != nil {
			missing++
		}
		if r.Name == "new" {
			found <- reconciled
		}
		reconciled++
		select {
		case next <- struct{}{}:
		default:
		}
		return reconcile.Result{}, nil
	})
	enqueue := &handler.TypedEnqueueRequestForObject[*fleet.Device]{}
	do(t, builder.ControllerManagedBy(m).Named("slow").
		WatchesRawSource(ctrlruntime.Source(devices.Informer, enqueue)).
		Complete(slow))
	start(t, m)

	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	await := func(done func() bool) {
		t.Helper()
		for !done() {
			select {
			case <-next:
			case <-ctx.Done():
				t.Fatal(ctx.Err())
			}
		}
	}
	await(func() bool {
		mu.Lock()
		defer mu.Unlock()
		return reconciled >= 100
	})
	do(t, writer.Create(ctx, many("new")))
	mu.Lock()
	created := reconciled
	mu.Unlock()
	var before int
	await(func() bool {
		select {
		case before = <-found:
			return true
		default:
			return false
		}
	})
	mu.Lock()
	defer mu.Unlock()
	if waited := before - created; waited > 100 || before >= initial || missing > 0 {
		t.Errorf("%d reconciles came before the new Device, %d after it was created; the lister lacked %d Devices",
			before, waited, missing)
	}
	t.Logf("the new Device was reconciled after %d others", before-created)
}

func many(name string) *fleet.Device {
	d := device(name, "many", fleet.DeviceOnline)
	d.Namespace = "many"
	return d
}
