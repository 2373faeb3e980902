// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package discovery_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"

	"github.com/indexer-gen/indexer-gen/runtime/discovery"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// A server that serves one group, in which there is no ServiceMonitor.
func ExampleProber_Served() {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, `{"kind":"APIGroupDiscoveryList","items":[{"metadata":{"name":"apps"},"versions":[{"version":"v1",
			"resources":[{"resource":"deployments"}]}]}]}`)
	}))
	defer server.Close()
	prober := discovery.New(server.Client(), server.URL, "example")
	for _, r := range []schema.GroupVersionResource{
		{Group: "apps", Version: "v1", Resource: "deployments"},
		{Group: "monitoring.coreos.com", Version: "v1", Resource: "servicemonitors"},
	} {
		served, err := prober.Served(r, nil)(context.Background())
		fmt.Println(r.Resource, served, err)
	}
	// Output:
	// deployments true <nil>
	// servicemonitors false <nil>
}
