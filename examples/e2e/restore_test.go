// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	fleet "github.com/indexer-gen/indexer-gen/examples/quickstart/api/v1alpha1"
	"github.com/indexer-gen/indexer-gen/runtime/informer"
	"github.com/indexer-gen/indexer-gen/runtime/reflector"
	"github.com/indexer-gen/indexer-gen/runtime/source"
	"github.com/indexer-gen/indexer-gen/runtime/store"
	"github.com/indexer-gen/indexer-gen/runtime/wire"
)

// requests is a RoundTripper that counts the requests of an informer. It fails them all
// while it is closed.
type requests struct {
	next http.RoundTripper

	mu     sync.Mutex
	closed bool
	lists  int // of everything
}

// before has r stand before next, as rest.Config.WrapTransport wants it.
func (r *requests) before(next http.RoundTripper) http.RoundTripper {
	r.next = next
	return r
}

func (r *requests) RoundTrip(request *http.Request) (*http.Response, error) {
	q := request.URL.Query()
	r.mu.Lock()
	closed := r.closed
	if q.Get("watch") == "" && q.Get("limit") != "1" || q.Get("sendInitialEvents") != "" {
		r.lists++
	}
	r.mu.Unlock()
	if closed {
		return nil, &closedError{}
	}
	return r.next.RoundTrip(request)
}

type closedError struct{}

func (*closedError) Error() string { return "no way to the server" }

func (r *requests) shut(closed bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.closed = closed
}

func (r *requests) listed() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.lists
}

// kept is an informer of one kind of source.
type kept struct {
	name string
	*fleet.DeviceInformer
	requests *requests
}

// everyKind starts an informer of every kind of source, with WatchList and without.
func everyKind(t *testing.T, namespace string) (all []kept) {
	over := func(url string) func(*requests) source.Source[*fleet.Device] {
		return func(r *requests) source.Source[*fleet.Device] {
			client := server.HTTPClient()
			t.Cleanup(client.CloseIdleConnections)
			r.next = client.Transport
			return wire.Source[*fleet.Device](
				wire.Conn{Client: &http.Client{Transport: r}, BaseURL: url},
				fleet.DevicesResource,
				wire.InNamespace(namespace),
			)
		}
	}
	for name, open := range map[string]func(*requests) source.Source[*fleet.Device]{
		"HTTP2": over(server.URL),
		"HTTP1": over(server.PlainURL),
		"typed client": func(r *requests) source.Source[*fleet.Device] {
			return fleet.NewDeviceSource(typedClientThrough(t, server.Endpoint, namespace, r.before))
		},
	} {
		for _, watchList := range []bool{true, false} {
			k := kept{name: fmt.Sprintf("%s, WatchList %v", name, watchList), requests: &requests{}}
			k.DeviceInformer = fleet.NewDeviceInformer(open(k.requests), informer.WithReflector(reflector.Settings{NoWatchList: !watchList}),
				informer.WithErrorHandler(func(err error) { t.Logf("%s: %v", k.name, err) }))
			start(t, k.DeviceInformer)
			all = append(all, k)
		}
	}
	return all
}

func names(all []fleet.Device) (out []string) {
	for _, d := range all {
		out = append(out, d.Name)
	}
	slices.Sort(out)
	return out
}

// An etcd that is restored from a backup goes back to old resourceVersions, and its
// server accepts watches at versions that are yet to come. What the informers have seen
// in the meantime never happened.
func TestRestoredFromABackup(t *testing.T) {
	ns := fresh("restored")
	client := typedClient(t, ns)
	ctx := deadline(t)
	for i := range 10 {
		create(t, client, device(ns, fmt.Sprint("old-", i), "berlin", "m1"))
	}
	if err := server.SaveData(ctx); err != nil {
		t.Fatal(err)
	}
	informers := everyKind(t, ns)
	var last *fleet.Device
	for i := range 30 {
		last = create(t, client, device(ns, fmt.Sprint("lost-", i), "berlin", "m1"))
	}
	rewound := make(chan error, len(informers))
	for _, i := range informers {
		if err := errors.Join(i.WaitForSync(ctx), i.Lister().WaitFor(ctx, last.ResourceVersion)); err != nil {
			t.Fatalf("%s: %v", i.name, err)
		}
		waiting := i.Lister()
		go func() { rewound <- waiting.WaitFor(ctx, "100000") }()
	}
	if err := server.RestoreData(ctx); err != nil {
		t.Fatal(err)
	}
	for _, i := range informers {
		until(t, i.Lister(), i.name+" has gone back", func(r reader) bool { return r.Len() == 10 })
		if err := <-rewound; !errors.Is(err, store.ErrRewound) {
			t.Errorf("who waited for a version that is lost was told %v", err)
		}
	}
	for i := range 5 {
		last = create(t, client, device(ns, fmt.Sprint("new-", i), "lyon", "m1"))
	}
	want, err := client.List(ctx, metav1.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for _, i := range informers {
		if err := i.Lister().WaitFor(ctx, last.ResourceVersion); err != nil {
			t.Fatalf("%s: %v", i.name, err)
		}
		expect(t, i.name, i.Lister().All(), names(want.Items)...)
	}
}

// The server has gone back and written past the old version before the informers reach
// it again: the same names, UIDs and versions may stand for something else.
func TestRestoredAndWrittenPastWhatWasKnown(t *testing.T) {
	ns := fresh("forked")
	client := typedClient(t, ns)
	ctx := deadline(t)
	d := create(t, client, device(ns, "a", "berlin", "m1"))
	if err := server.SaveData(ctx); err != nil {
		t.Fatal(err)
	}
	informers := everyKind(t, ns)
	move := func(d *fleet.Device, site string) *fleet.Device {
		t.Helper()
		d.Spec.Site = site
		moved, err := client.Update(ctx, d, metav1.UpdateOptions{})
		if err != nil {
			t.Fatal(err)
		}
		return moved
	}
	lost := move(d.DeepCopy(), "lyon")
	for _, i := range informers {
		if err := errors.Join(i.WaitForSync(ctx), i.Lister().WaitFor(ctx, lost.ResourceVersion)); err != nil {
			t.Fatalf("%s: %v", i.name, err)
		}
		i.requests.shut(true)
	}
	if err := server.RestoreData(ctx); err != nil {
		t.Fatal(err)
	}
	move(d.DeepCopy(), "boston")
	var last *fleet.Device
	for i := range 20 {
		last = create(t, client, device(ns, fmt.Sprint("new-", i), "berlin", "m1"))
	}
	// The server that starts now has no watch cache that goes back to the old version.
	if err := server.RestartServer(ctx); err != nil {
		t.Fatal(err)
	}
	for _, i := range informers {
		i.requests.shut(false)
	}
	for _, i := range informers {
		if err := i.Lister().WaitFor(ctx, last.ResourceVersion); err != nil {
			t.Fatalf("%s: %v", i.name, err)
		}
		until(t, i.Lister(), i.name+" has what is new", func(r reader) bool { return r.Len() == 21 })
		expect(t, i.name+", lyon", i.Lister().BySite("lyon"))
		expect(t, i.name+", boston", i.Lister().BySite("boston"), "a")
	}
}

// Connections that are cut cost a watch and the question that precedes it, never a list.
func TestCutConnectionsListNothing(t *testing.T) {
	ns := fresh("cut")
	client := typedClient(t, ns)
	ctx, cancel := context.WithCancel(deadline(t))
	defer cancel()
	create(t, client, device(ns, "first", "berlin", "m1"))
	informers := everyKind(t, ns)
	before := make([]int, len(informers))
	for n, i := range informers {
		if err := i.WaitForSync(ctx); err != nil {
			t.Fatal(err)
		}
		before[n] = i.requests.listed()
	}
	for round := range 5 {
		if _, err := server.CutConnections(ctx); err != nil {
			t.Fatal(err)
		}
		d := device(ns, fmt.Sprint("round-", round), "berlin", "m1")
		created, err := client.Create(ctx, d, metav1.CreateOptions{})
		for tries := 0; err != nil && tries < 10; tries++ { // the connection may be one that was cut
			created, err = client.Create(ctx, d, metav1.CreateOptions{})
		}
		if err != nil {
			t.Fatal(err)
		}
		for _, i := range informers {
			if err := i.Lister().WaitFor(ctx, created.ResourceVersion); err != nil {
				t.Fatalf("%s: %v", i.name, err)
			}
		}
	}
	for n, i := range informers {
		if got := i.requests.listed(); got != before[n] {
			t.Errorf("%s: %d lists for five cuts", i.name, got-before[n])
		}
	}
}
