// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"context"
	"fmt"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/metadata"

	"github.com/indexer-gen/indexer-gen/examples/apiserver/restconfig"
	fleet "github.com/indexer-gen/indexer-gen/examples/quickstart/api/v1alpha1"
	"github.com/indexer-gen/indexer-gen/runtime/informer"
	"github.com/indexer-gen/indexer-gen/runtime/reflector"
	"github.com/indexer-gen/indexer-gen/runtime/source"
	"github.com/indexer-gen/indexer-gen/runtime/store"
)

// recoveredAfter bounds how long a cache may be wrong after the server is back. It is
// shorter than the ten retries that client-go's clients make within one call, about 43 s.
const recoveredAfter = 30 * time.Second

// follow starts an informer that reads src, and returns a function that waits until the
// cache holds n objects.
func follow[T metav1.Object](
	t *testing.T,
	name string,
	src source.Source[T],
	opts ...informer.Option,
) (holds func(n int, within time.Duration)) {
	objects := store.ForObjects[T]()
	start(t, informer.New(fleet.DevicesResource, src, objects, append(opts,
		informer.WithErrorHandler(func(err error) { t.Logf("%s: %v", name, err) }))...))
	return func(n int, within time.Duration) {
		t.Helper()
		ctx, cancel := context.WithTimeout(t.Context(), within)
		defer cancel()
		if err := objects.Reader().WaitUntil(ctx, func(r store.Reader[types.NamespacedName, T]) bool { return r.Len() == n }); err != nil {
			t.Errorf("%s: holds %d objects, want %d: %v", name, objects.Reader().Len(), n, err)
		}
	}
}

// TestRestoredUnderClientGo restores etcd under informers that read through client-go's
// clients, which retry an answer with Retry-After by themselves.
func TestRestoredUnderClientGo(t *testing.T) {
	ns := fresh("restored-clientgo")
	client := typedClient(t, ns)
	ctx := deadline(t)
	for i := range 5 {
		create(t, client, device(ns, fmt.Sprint("old-", i), "berlin", "m1"))
	}
	if err := server.SaveData(ctx); err != nil {
		t.Fatal(err)
	}
	cfg := restconfig.New(server.Endpoint)
	dynamicClient, err := dynamic.NewForConfig(cfg)
	if err != nil {
		t.Fatal(err)
	}
	metadataClient, err := metadata.NewForConfig(cfg)
	if err != nil {
		t.Fatal(err)
	}
	var all []func(int, time.Duration)
	for _, watchList := range []bool{true, false} {
		named := func(kind string) string { return fmt.Sprintf("%s, WatchList %v", kind, watchList) }
		opt := informer.WithReflector(reflector.Settings{NoWatchList: !watchList})
		all = append(
			all,
			follow(t, named("typed"), fleet.NewDeviceSource(typedClient(t, ns)), opt),
			follow(t, named("dynamic"), source.FromClient[unstructured.Unstructured](dynamicClient.Resource(fleet.DevicesResource).Namespace(ns),
				func(l *unstructured.UnstructuredList) []unstructured.Unstructured { return l.Items }), opt),
			follow(t, named("metadata"), source.FromClient[metav1.PartialObjectMetadata](metadataClient.Resource(fleet.DevicesResource).Namespace(ns),
				func(l *metav1.PartialObjectMetadataList) []metav1.PartialObjectMetadata { return l.Items }), opt))
	}
	for i := range 20 {
		create(t, client, device(ns, fmt.Sprint("lost-", i), "berlin", "m1"))
	}
	for _, holds := range all {
		holds(25, time.Minute)
	}
	if err := server.RestoreData(ctx); err != nil {
		t.Fatal(err)
	}
	for _, holds := range all {
		holds(5, recoveredAfter)
	}
}
