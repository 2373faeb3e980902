// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"bytes"
	"io"
	"net/http"
	"slices"
	"sync"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	fleet "github.com/indexer-gen/indexer-gen/examples/quickstart/api/v1alpha1"
	"github.com/indexer-gen/indexer-gen/runtime/informer"
	"github.com/indexer-gen/indexer-gen/runtime/reflector"
	"github.com/indexer-gen/indexer-gen/runtime/source"
	"github.com/indexer-gen/indexer-gen/runtime/store"
	"github.com/indexer-gen/indexer-gen/runtime/wire"
)

// listening keeps what its client was sent.
type listening struct {
	next  http.RoundTripper
	mu    sync.Mutex
	heard bytes.Buffer
}

func (l *listening) RoundTrip(r *http.Request) (*http.Response, error) {
	answer, err := l.next.RoundTrip(r)
	if err == nil {
		answer.Body = struct {
			io.Reader
			io.Closer
		}{io.TeeReader(answer.Body, l), answer.Body}
	}
	return answer, err
}

func (l *listening) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.heard.Write(p)
}

func (l *listening) text() []byte {
	l.mu.Lock()
	defer l.mu.Unlock()
	return bytes.Clone(l.heard.Bytes())
}

// TestMetadataOnly follows the metadata of devices, which are all that comes over
// the wire, by LIST and by WatchList.
func TestMetadataOnly(t *testing.T) {
	ns := fresh("metadata")
	client := typedClient(t, ns)
	ctx := deadline(t)
	create(t, client, device(ns, "old", "berlin", "m1"))
	for _, watchList := range []bool{true, false} {
		own := server.HTTPClient()
		defer own.CloseIdleConnections()
		ears := &listening{next: own.Transport}
		src := wire.Source[*metav1.PartialObjectMetadata](
			wire.Conn{Client: &http.Client{Transport: ears}, BaseURL: server.URL}, fleet.DevicesResource, wire.InNamespace(ns))
		objects := store.ForObjects[*metav1.PartialObjectMetadata]()
		byModel := store.AddIndex(
			objects,
			"Model",
			func(dst []string, m *metav1.PartialObjectMetadata) []string { return append(dst, m.Labels["model"]) },
		)
		i := informer.New(fleet.DevicesResource, src, objects, informer.WithReflector(reflector.Settings{NoWatchList: !watchList}),
			informer.WithErrorHandler(func(err error) { t.Logf("WatchList %v: %v", watchList, err) }))
		start(t, i)
		if err := i.WaitForSync(ctx); err != nil {
			t.Fatal(err)
		}
		name := map[bool]string{true: "by-watchlist", false: "by-list"}[watchList]
		created := create(t, client, device(ns, name, "lyon", name))
		if err := objects.Reader().WaitFor(ctx, created.ResourceVersion); err != nil {
			t.Fatal(err)
		}
		found := 0
		for m := range byModel.Get(objects.Reader(), name) {
			found++
			if m.UID != created.UID || m.ResourceVersion != created.ResourceVersion ||
				m.TypeMeta != (metav1.TypeMeta{}) {
				t.Errorf("%+v", m)
			}
		}
		if _, ok := objects.Reader().Get(types.NamespacedName{Namespace: ns, Name: "old"}); !ok ||
			found != 1 {
			t.Errorf("WatchList %v: %d of the new one, the old one %v", watchList, found, ok)
		}
		if heard := ears.text(); !bytes.Contains(heard, []byte("PartialObjectMetadata")) ||
			bytes.Contains(heard, []byte(`"site":`)) {
			t.Errorf("WatchList %v: the server sent %s", watchList, heard)
		}
	}
}

// TestMetadataOfNamespaces follows the metadata of devices in a set of namespaces, which
// changes: a version that the server gives is reached by all of them.
func TestMetadataOfNamespaces(t *testing.T) {
	first, second, other := fresh("metadata-in"), fresh("metadata-in"), fresh("metadata-in")
	ctx := deadline(t)
	clients := map[string]typed{}
	for _, ns := range []string{first, second, other} {
		clients[ns] = typedClient(t, ns)
		create(t, clients[ns], device(ns, "old", "berlin", "m1"))
	}
	own := server.HTTPClient()
	defer own.CloseIdleConnections()
	ears := &listening{next: own.Transport}
	namespaces := source.NewNamespaces(first)
	src := wire.Source[*metav1.PartialObjectMetadata](
		wire.Conn{
			Client:  &http.Client{Transport: ears},
			BaseURL: server.URL,
		},
		fleet.DevicesResource,
		wire.InNamespaces(namespaces),
	)
	objects := store.ForObjects[*metav1.PartialObjectMetadata]()
	i := informer.New(
		fleet.DevicesResource,
		src,
		objects,
		informer.WithErrorHandler(func(err error) { t.Log(err) }),
	)
	start(t, i)
	if err := i.WaitForSync(ctx); err != nil {
		t.Fatal(err)
	}
	if err := namespaces.Replace(ctx, first, second); err != nil {
		t.Fatal(err)
	}
	created := create(t, clients[second], device(second, "new", "lyon", "m2"))
	create(t, clients[other], device(other, "new", "lyon", "m2"))
	create(t, clients[first], device(first, "new", "lyon", "m2"))
	// The other namespace hears of that with a bookmark, within about a minute, or with a later object.
	if err := i.WaitFor(ctx, created.ResourceVersion); err != nil {
		t.Fatal(err)
	}
	if err := objects.Reader().WaitUntil(ctx, func(now store.Reader[types.NamespacedName, *metav1.PartialObjectMetadata]) bool {
		_, ok := now.Get(types.NamespacedName{Namespace: first, Name: "new"})
		return ok
	}); err != nil {
		t.Fatal(err)
	}
	var got []string
	for m := range objects.Reader().All() {
		got = append(got, m.Namespace+"/"+m.Name)
	}
	want := []string{first + "/new", first + "/old", second + "/new", second + "/old"}
	slices.Sort(got)
	if slices.Sort(want); !slices.Equal(got, want) {
		t.Errorf("the store has %v, want %v", got, want)
	}
	if err := namespaces.Replace(ctx, second); err != nil {
		t.Fatal(err)
	}
	if n := objects.Reader().Len(); n != 2 {
		t.Errorf("%d objects are left of one namespace, want 2", n)
	}
	if heard := ears.text(); !bytes.Contains(heard, []byte("PartialObjectMetadata")) ||
		bytes.Contains(heard, []byte(`"site":`)) {
		t.Errorf("the server sent %s", heard)
	}
}
