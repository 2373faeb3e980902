// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/rest"

	"github.com/indexer-gen/indexer-gen/examples/apiserver/restconfig"
	fleet "github.com/indexer-gen/indexer-gen/examples/quickstart/api/v1alpha1"
	"github.com/indexer-gen/indexer-gen/runtime/informer"
	"github.com/indexer-gen/indexer-gen/runtime/reflector"
	"github.com/indexer-gen/indexer-gen/runtime/source"
	"github.com/indexer-gen/indexer-gen/runtime/store"
	"github.com/indexer-gen/indexer-gen/runtime/wire"
)

// reader is what a store of devices is read through.
type reader = store.Reader[types.NamespacedName, *fleet.Device]

// sources are the ways in which an informer can reach the server.
func sources(t *testing.T, namespace string) map[string]source.Source[*fleet.Device] {
	own := server.HTTPClient()
	t.Cleanup(own.CloseIdleConnections)
	fromClientGo, err := rest.HTTPClientFor(restconfig.New(server.Endpoint))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(fromClientGo.CloseIdleConnections)
	over := func(client *http.Client, url string) source.Source[*fleet.Device] {
		return wire.Source[*fleet.Device](wire.Conn{Client: client, BaseURL: url}, fleet.DevicesResource, wire.InNamespace(namespace))
	}
	return map[string]source.Source[*fleet.Device]{
		"HTTP2":              over(own, server.URL),
		"HTTP1":              over(own, server.PlainURL),
		"rest.HTTPClientFor": over(fromClientGo, server.URL),
		"typed client":       fleet.NewDeviceSource(typedClient(t, namespace)),
	}
}

// TestLifecycle follows devices through creation, a move between index values,
// deletion, and a restart of the server under a running informer, and asks the
// typed queries after each.
func TestLifecycle(t *testing.T) {
	ns := fresh("lifecycle")
	client := typedClient(t, ns)
	ctx := deadline(t)
	var last *fleet.Device
	for i := range 20 {
		last = create(t, client, device(ns, fmt.Sprint("old-", i), "berlin", fmt.Sprint("m", i%2)))
	}

	// The server answers an initial list from its watch cache, which may lack the last
	// write. This list waits until the cache has it.
	if _, err := client.List(ctx, metav1.ListOptions{ResourceVersion: last.ResourceVersion}); err != nil {
		t.Fatal(err)
	}

	type watched struct {
		name string
		all  *fleet.DeviceInformer
		m1   *fleet.DeviceInformer
		log  *journal
	}
	var informers []watched
	for name, src := range sources(t, ns) {
		for _, watchList := range []bool{true, false} {
			w := watched{name: fmt.Sprintf("%s, WatchList %v", name, watchList), log: newJournal()}
			opts := []informer.Option{
				informer.WithReflector(reflector.Settings{NoWatchList: !watchList}),
				informer.WithErrorHandler(func(err error) { t.Logf("%s: %v", w.name, err) }),
			}
			w.all = fleet.NewDeviceInformer(src, opts...)
			w.m1 = fleet.NewDeviceInformer(src, append(opts,
				informer.WithReflector(reflector.Settings{NoWatchList: !watchList, LabelSelector: "model=m1"}))...)
			w.all.AddEventHandler(w.log)
			start(t, w.all)
			start(t, w.m1)
			informers = append(informers, w)
		}
	}
	// each checks every informer, once it has seen what the last write returned.
	each := func(step string, rv string, f func(t *testing.T, l, m1 fleet.DeviceLister)) {
		t.Helper()
		for _, w := range informers {
			for _, i := range []*fleet.DeviceInformer{w.all, w.m1} {
				if err := i.WaitForSync(ctx); err != nil {
					t.Fatalf("%s: %s: %v", step, w.name, err)
				}
			}
			if err := w.all.Lister().WaitFor(ctx, rv); err != nil {
				t.Fatalf("%s: %s: %v, last error %v", step, w.name, err, w.all.LastError())
			}
			t.Run(step+" "+w.name, func(t *testing.T) { f(t, w.all.Lister(), w.m1.Lister()) })
		}
	}

	each("synced", last.ResourceVersion, func(t *testing.T, l, m1 fleet.DeviceLister) {
		if l.Len() != 20 || m1.Len() != 10 {
			t.Errorf("%d devices, %d of model m1; want 20 and 10", l.Len(), m1.Len())
		}
	})
	created := create(t, client, device(ns, "new", "lyon", "m1"))
	each("created", created.ResourceVersion, func(t *testing.T, l, m1 fleet.DeviceLister) {
		until(t, m1, "the selected informer has the new device", func(r reader) bool { return r.Len() == 11 })
		expect(t, "BySite(lyon)", l.BySite("lyon"), "new")
		expect(t, "BySite(lyon), model m1", m1.BySite("lyon"), "new")
		expect(t, "BySitePhase", l.BySitePhase("lyon", fleet.DeviceOnline), "new")
		if n := len(slices.Collect(l.BySite("berlin"))); n != 20 {
			t.Errorf("BySite(berlin) has %d devices, want 20", n)
		}
		if n := len(slices.Collect(m1.BySite("berlin"))); n != 10 {
			t.Errorf("of model m1, BySite(berlin) has %d devices, want 10", n)
		}
	})

	// A move between values of three indexes, and out of the label selector.
	snapshot := informers[0].all.Lister().Snapshot()
	created.Spec.Site, created.Status.Phase, created.Labels["model"] = "boston", fleet.DeviceOffline, "m2"
	created.Spec.Capabilities = []fleet.Capability{fleet.Lidar, fleet.GPU}
	created.Spec.Firmware = &fleet.Firmware{Version: "2.0"}
	moved, err := client.Update(ctx, created, metav1.UpdateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	each("moved", moved.ResourceVersion, func(t *testing.T, l, m1 fleet.DeviceLister) {
		until(
			t,
			m1,
			"the selected informer has lost the device",
			func(r reader) bool { return r.Len() == 10 },
		)
		expect(t, "BySite(lyon)", l.BySite("lyon"))
		expect(t, "BySite(boston)", l.BySite("boston"), "new")
		expect(t, "BySite(boston), model m1", m1.BySite("boston"))
		expect(t, "BySitePhase(lyon, Online)", l.BySitePhase("lyon", fleet.DeviceOnline))
		expect(t, "BySitePhase(boston, Offline)", l.BySitePhase("boston", fleet.DeviceOffline), "new")
		expect(t, "ByCapability(gpu)", l.ByCapability(fleet.GPU), "new")
		expect(t, "ByFirmware(2.0)", l.ByFirmware("2.0"), "new")
	})
	expect(t, "BySite(lyon) in the snapshot", snapshot.BySite("lyon"), "new")

	if err := client.Delete(ctx, "new", metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	mark := create(t, client, device(ns, "mark", "berlin", "m2"))
	each("deleted", mark.ResourceVersion, func(t *testing.T, l, _ fleet.DeviceLister) {
		expect(t, "BySite(boston)", l.BySite("boston"))
		expect(t, "ByCapability(gpu)", l.ByCapability(fleet.GPU))
		if _, ok := l.Lookup(types.NamespacedName{Namespace: ns, Name: "new"}); ok {
			t.Error("the device is still there")
		}
	})

	// The server goes away, and comes back with another port, token and CA behind
	// its address; every watch must be made anew.
	if err := server.RestartServer(ctx); err != nil {
		t.Fatal(err)
	}
	if err := client.Delete(ctx, "old-0", metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	after := create(t, client, device(ns, "after", "lyon", "m1"))
	each("restarted", after.ResourceVersion, func(t *testing.T, l, m1 fleet.DeviceLister) {
		until(t, m1, "the selected informer follows", func(r reader) bool { return r.Len() == 11 })
		expect(t, "BySite(lyon)", l.BySite("lyon"), "after")
		expect(t, "BySite(lyon), model m1", m1.BySite("lyon"), "after")
		if n := len(slices.Collect(l.BySite("berlin"))); n != 20 { // 19 old ones and the mark
			t.Errorf("BySite(berlin) has %d devices, want 20", n)
		}
	})
	for _, w := range informers {
		select { // a handler is called after the store has changed
		case <-w.log.after:
		case <-ctx.Done():
		}
		w.log.check(t, w.name)
	}
}

// journal is a handler that records the events of each device.
type journal struct {
	mu    sync.Mutex
	of    map[string][]string
	after chan struct{} // closed at the first event of the device after, which is the last created
}

func newJournal() *journal {
	return &journal{of: map[string][]string{}, after: make(chan struct{})}
}

func (j *journal) note(name, what string) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.of[name] = append(j.of[name], what)
	if name == "after" && len(j.of[name]) == 1 {
		close(j.after)
	}
}

func (j *journal) OnAdd(d *fleet.Device, initial bool) {
	if initial {
		j.note(d.Name, "initial")
		return
	}
	j.note(d.Name, "add")
}
func (j *journal) OnUpdate(old, d *fleet.Device) {
	if old.ResourceVersion != d.ResourceVersion {
		j.note(d.Name, "update "+old.Spec.Site+" "+d.Spec.Site)
	}
}
func (j *journal) OnDelete(t informer.Tombstone[*fleet.Device]) {
	j.note(t.Key.Name, "delete "+t.Object.Spec.Site)
}

func (j *journal) check(t *testing.T, name string) {
	t.Helper()
	j.mu.Lock()
	defer j.mu.Unlock()
	for device, want := range map[string]string{
		"old-3": "initial",
		"old-0": "initial, delete berlin",
		"new":   "add, update lyon boston, delete boston",
		"after": "add",
	} {
		if got := strings.Join(j.of[device], ", "); got != want {
			t.Errorf("%s: the handler was told of %s: %q, want %q", name, device, got, want)
		}
	}
}

// A source that may not be read fails the wait for sync with the server's reason.
func TestSyncFailsWithTheReason(t *testing.T) {
	stranger := &http.Client{
		Transport: &http.Transport{TLSClientConfig: server.TLSConfig()},
	} // without a token
	t.Cleanup(stranger.CloseIdleConnections)
	devices := wire.Source[*fleet.Device](wire.Conn{Client: stranger, BaseURL: server.URL}, fleet.DevicesResource)
	// Patience ends with the first error, however long the server takes for it.
	ctx, cancel := context.WithCancelCause(deadline(t))
	informers := fleet.NewInformers(
		fleet.InformerSources{Devices: devices},
		informer.WithErrorHandler(func(error) { cancel(context.DeadlineExceeded) }),
	)
	informers.Devices()
	informers.Start(deadline(t))
	defer informers.Shutdown()
	err := informers.WaitForSync(ctx)
	if !apierrors.IsUnauthorized(err) || !errors.Is(err, context.DeadlineExceeded) ||
		!strings.Contains(err.Error(), "devices.fleet.example.com") {
		t.Errorf("the wait ended with %v; want the resource, the deadline and the server's reason", err)
	}
}

func deadline(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	t.Cleanup(cancel)
	return ctx
}

// start runs an informer until the test ends, and waits until it has ended.
func start(t *testing.T, i interface{ Run(context.Context) error }) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- i.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
}

func create(t *testing.T, client typed, d *fleet.Device) *fleet.Device {
	t.Helper()
	created, err := client.Create(t.Context(), d, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return created
}

func until(t *testing.T, l fleet.DeviceLister, what string, cond func(reader) bool) {
	t.Helper()
	if err := l.Reader().WaitUntil(deadline(t), cond); err != nil {
		t.Fatalf("waiting until %s: %v", what, err)
	}
}

func expect(t *testing.T, query string, devices iter.Seq[*fleet.Device], want ...string) {
	t.Helper()
	var got []string
	for d := range devices {
		got = append(got, d.Name)
	}
	slices.Sort(got)
	if !slices.Equal(got, want) {
		t.Errorf("%s yields %q, want %q", query, got, want)
	}
}
