// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"context"
	"net/http"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/transport"

	fleet "github.com/indexer-gen/indexer-gen/examples/quickstart/api/v1alpha1"
	"github.com/indexer-gen/indexer-gen/runtime/clientgo"
)

// watchCounter counts the watches that a client begins.
type watchCounter struct {
	http.RoundTripper
	watches *atomic.Int64
}

func (c watchCounter) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.URL.Query().Get("watch") == "true" {
		c.watches.Add(1)
	}
	return c.RoundTripper.RoundTrip(r)
}

// WrappedRoundTripper lets client-go close the connections.
func (c watchCounter) WrappedRoundTripper() http.RoundTripper { return c.RoundTripper }

// TestSharedIndexInformer runs client-go's informer and ours, behind the same interface, against the
// server. One watch serves handlers, string indexes and a typed lister.
func TestSharedIndexInformer(t *testing.T) {
	for name, create := range map[string]func(
		cache.ListerWatcher, runtime.Object, time.Duration, cache.Indexers) cache.SharedIndexInformer{
		"client-go": cache.NewSharedIndexInformer, "ours": clientgo.NewSharedIndexInformer,
	} {
		t.Run(name, func(t *testing.T) {
			ctx, namespace := deadline(t), fresh("sharedindexinformer")
			var watches atomic.Int64
			client := typedClientThrough(t, server.Endpoint, namespace, transport.WrapperFunc(
				func(next http.RoundTripper) http.RoundTripper { return watchCounter{next, &watches} }))
			createDevice(t, client, device(namespace, "first", "berlin", "m1"))

			if name == "ours" {
				clientgo.Register[*fleet.Device]()
			}
			i := create(&cache.ListWatch{
				ListWithContextFunc: func(ctx context.Context, opts metav1.ListOptions) (runtime.Object, error) {
					return client.List(ctx, opts)
				},
				WatchFuncWithContext: func(ctx context.Context, opts metav1.ListOptions) (watch.Interface, error) {
					return client.Watch(ctx, opts)
				},
			}, &fleet.Device{}, 0, cache.Indexers{"site": func(obj any) ([]string, error) {
				return []string{obj.(*fleet.Device).Spec.Site}, nil
			}})
			calls := make(chan string, 10)
			handle, err := i.AddEventHandler(cache.ResourceEventHandlerFuncs{
				AddFunc:    func(obj any) { calls <- "add " + obj.(*fleet.Device).Name },
				UpdateFunc: func(_, obj any) { calls <- "update " + obj.(*fleet.Device).Spec.Site },
				DeleteFunc: func(obj any) { calls <- "delete " + obj.(*fleet.Device).Name },
			})
			if err != nil {
				t.Fatal(err)
			}
			running, stop := context.WithCancel(ctx)
			stopped := make(chan struct{})
			go func() {
				defer close(stopped)
				i.RunWithContext(running)
			}()
			defer func() {
				stop()
				<-stopped
			}()
			next := func(want string) {
				t.Helper()
				select {
				case got := <-calls:
					if got != want {
						t.Errorf("got %q, want %q", got, want)
					}
				case <-ctx.Done():
					t.Fatalf("no %q: %v", want, context.Cause(ctx))
				}
			}
			next("add first")
			<-handle.HasSyncedChecker().Done()
			second := createDevice(t, client, device(namespace, "second", "berlin", "m1"))
			next("add second")
			second.Spec.Site = "paris"
			if _, err := client.Update(ctx, second, metav1.UpdateOptions{}); err != nil {
				t.Fatal(err)
			}
			next("update paris")
			if err := client.Delete(ctx, "first", metav1.DeleteOptions{}); err != nil {
				t.Fatal(err)
			}
			next("delete first")
			keys, err := i.GetIndexer().IndexKeys("site", "paris")
			if err != nil || !slices.Equal(keys, []string{namespace + "/second"}) {
				t.Errorf("in paris: %v, %v", keys, err)
			}
			if name == "ours" {
				devices, err := clientgo.StoreOf[*fleet.Device](i)
				if err != nil {
					t.Fatal(err)
				}
				l := fleet.NewDeviceLister(devices)
				got, err := l.Get(namespace, "second")
				if err != nil || got.Spec.Site != "paris" {
					t.Errorf("by the typed lister: %v, %v", got, err)
				}
				if in := slices.Collect(l.BySite("paris")); !slices.Equal(in, []*fleet.Device{got}) {
					t.Errorf("in paris by the typed lister: %v", in)
				}
			}
			if n := watches.Load(); n != 1 {
				t.Errorf("%d watches", n)
			}
		})
	}
}

func createDevice(t *testing.T, client typed, d *fleet.Device) *fleet.Device {
	t.Helper()
	created, err := client.Create(deadline(t), d, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return created
}
