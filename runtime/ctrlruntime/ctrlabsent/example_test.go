// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package ctrlabsent_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/indexer-gen/indexer-gen/runtime/ctrlruntime"
	"github.com/indexer-gen/indexer-gen/runtime/ctrlruntime/ctrlabsent"
)

// A server does not have the type. The cache starts without it.
func ExampleMayBeAbsent() {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/apis" {
			http.NotFound(w, r)
			return
		}
		fmt.Fprint(w, `{"kind":"APIGroupDiscoveryList","items":[{"metadata":{"name":"apps"},"versions":[{"version":"v1",`+
			`"resources":[{"resource":"deployments"}]}]}]}`)
	}))
	defer server.Close()
	monitor := &unstructured.Unstructured{}
	monitor.SetAPIVersion("monitoring.coreos.com/v1")
	monitor.SetKind("ServiceMonitor")

	newCache := ctrlruntime.NewCacheWith(ctrlabsent.MayBeAbsent(monitor, "servicemonitors", meta.RESTScopeNamespace))
	c, err := newCache(&rest.Config{Host: server.URL}, cache.Options{Mapper: meta.NewDefaultRESTMapper(nil)})
	if err != nil {
		fmt.Println(err)
		return
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error)
	go func() { ended <- c.Start(ctx) }()
	c.WaitForCacheSync(ctx)
	err = c.Get(ctx, client.ObjectKey{Namespace: "ns", Name: "m"}, monitor)
	fmt.Println(meta.IsNoMatchError(err), err)
	cancel()
	fmt.Println(<-ended)
	// Output:
	// true no matches for kind "ServiceMonitor" in version "monitoring.coreos.com/v1"
	// <nil>
}
