// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"context"
	"fmt"
	"slices"
	"sync/atomic"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/indexer-gen/indexer-gen/examples/apiserver"
	fleet "github.com/indexer-gen/indexer-gen/examples/quickstart/api/v1alpha1"
	"github.com/indexer-gen/indexer-gen/runtime/informer"
	"github.com/indexer-gen/indexer-gen/runtime/reflector"
	"github.com/indexer-gen/indexer-gen/runtime/shard"
	"github.com/indexer-gen/indexer-gen/runtime/source"
	"github.com/indexer-gen/indexer-gen/runtime/wire"
)

// received counts the devices that a source sends.
type received struct {
	source.ListerWatcher[*fleet.Device]
	devices atomic.Int64
}

func (r *received) List(
	ctx context.Context,
	opts metav1.ListOptions,
	each func(source.Delta[*fleet.Device], error) error,
) (metav1.ListMeta, error) {
	return r.ListerWatcher.List(ctx, opts, func(item source.Delta[*fleet.Device], err error) error {
		r.devices.Add(1)
		return each(item, err)
	})
}

func (r *received) Watch(
	ctx context.Context, opts metav1.ListOptions, each func(source.Delta[*fleet.Device], string, error) error,
) error {
	return r.ListerWatcher.Watch(ctx, opts, func(d source.Delta[*fleet.Device], version string, err error) error {
		if d.Object != nil {
			r.devices.Add(1)
		}
		return each(d, version, err)
	})
}

// TestShards has two replicas become three, with a server that divides (KEP-5866) and one
// that leaves it to us.
func TestShards(t *testing.T) {
	dividing, err := apiserver.Start(t.Context(), apiserver.Options{
		CRDs:  []string{"../quickstart/config/crd"},
		Flags: []string{"--feature-gates=ShardedListAndWatch=true"},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := dividing.Close(); err != nil {
			t.Error(err)
		}
	})
	for name, s := range map[string]*apiserver.Server{"server divides": dividing, "server does not": server} {
		http := s.HTTPClient()
		t.Cleanup(http.CloseIdleConnections)
		for _, watchList := range []bool{true, false} {
			t.Run(fmt.Sprintf("%s, HTTP, WatchList %v", name, watchList), func(t *testing.T) {
				ns := fresh("shards")
				src := wire.Source[*fleet.Device](wire.Conn{Client: http, BaseURL: s.URL}, fleet.DevicesResource, wire.InNamespace(ns))
				sharded(t, s, ns, src, informer.WithReflector(reflector.Settings{NoWatchList: !watchList}))
			})
		}
		t.Run(name+", typed client", func(t *testing.T) {
			ns := fresh("shards")
			sharded(
				t,
				s,
				ns,
				fleet.NewDeviceSource(typedClientOf(t, s.Endpoint, ns)),
				informer.WithReflector(reflector.Settings{NoWatchList: true}),
			)
		})
	}
}

func sharded(
	t *testing.T,
	s *apiserver.Server,
	ns string,
	src source.Source[*fleet.Device],
	opts ...informer.Option,
) {
	const devices = 30
	ctx := deadline(t)
	client := typedClientOf(t, s.Endpoint, ns)
	var last *fleet.Device
	for i := range devices {
		last = create(t, client, device(ns, fmt.Sprintf("d%02d", i), "berlin", "m"))
	}
	counted := &received{ListerWatcher: src}

	sets := []*shard.Set{shard.NewSet(of(t, 0, 2)), shard.NewSet(of(t, 1, 2)), shard.NewSet()}
	var failed atomic.Bool
	onError := informer.WithErrorHandler(func(err error) {
		failed.Store(true)
		t.Log(err)
	})
	var replicas []*fleet.DeviceInformer
	for _, set := range sets {
		replica := fleet.NewDeviceInformer(shard.Source(source.Source[*fleet.Device]{ListerWatcher: counted}, set), append(opts, onError)...)
		replicas = append(replicas, replica)
		start(t, replica)
	}
	// check waits until each replica holds its own of what there is, and no more.
	check := func(step string, ranges ...shard.Range) {
		t.Helper()
		list, err := client.List(ctx, metav1.ListOptions{})
		if err != nil {
			t.Fatal(err)
		}
		for i, replica := range replicas {
			if err := replica.WaitForSync(ctx); err != nil {
				t.Fatalf("%s: %v", step, err)
			}
			var want []string
			for _, d := range list.Items {
				if i < len(ranges) && ranges[i].Contains(&d) {
					want = append(want, d.Name+"@"+d.ResourceVersion)
				}
			}
			slices.Sort(want)
			until(t, replica.Lister(), fmt.Sprintf("%s: replica %d has its own", step, i), func(r reader) bool {
				var got []string
				for d := range r.All() {
					got = append(got, d.Name+"@"+d.ResourceVersion)
				}
				slices.Sort(got)
				return slices.Equal(got, want)
			})
		}
	}
	check("synced", of(t, 0, 2), of(t, 1, 2))
	if s == server { // each replica receives all devices, also those of the other
		for _, replica := range replicas {
			if err := replica.WaitFor(ctx, last.ResourceVersion); err != nil {
				t.Fatal(err)
			}
		}
	}
	// Requests that failed were made again.
	if want := map[bool]int64{true: devices, false: 2 * devices}[s != server]; counted.devices.Load() != want &&
		!failed.Load() {
		t.Errorf("%d devices were received, want %d", counted.devices.Load(), want)
	}

	// Two become three, in two steps, while the server writes.
	next := []shard.Range{of(t, 0, 3), of(t, 1, 3), of(t, 2, 3)}
	for i, set := range sets {
		if err := set.Replace(ctx, slices.Concat(set.Parts(), next[i:i+1])...); err != nil {
			t.Fatal(err)
		}
		if err := client.Delete(ctx, fmt.Sprintf("d%02d", i), metav1.DeleteOptions{}); err != nil {
			t.Fatal(err)
		}
		create(t, client, device(ns, fmt.Sprint("new", i), "lyon", "m"))
	}
	for i, set := range sets {
		if err := set.Replace(ctx, next[i]); err != nil {
			t.Fatal(err)
		}
	}
	check("divided anew", next...)
	for i := range devices {
		create(t, client, device(ns, fmt.Sprint("late", i), "lyon", "m"))
	}
	check("written to", next...)
}

func of(t *testing.T, index, count int) shard.Range {
	t.Helper()
	r, err := shard.Of(index, count)
	if err != nil {
		t.Fatal(err)
	}
	return r
}
