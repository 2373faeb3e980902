// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package clientgo_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"

	"github.com/indexer-gen/indexer-gen/runtime/clientgo"
)

// A prober asks the server of the discovery clients that programs make, which have a timeout in their URLs. The
// server's API may stand under a path, as behind a proxy.
func TestProber(t *testing.T) {
	mux := http.NewServeMux()
	mux.HandleFunc("/proxy/apis", func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, `{"kind":"APIGroupDiscoveryList","items":[{"metadata":{"name":"apps"},"versions":[{"version":"v1",`+
			`"resources":[{"resource":"deployments"}]}]}]}`)
	})
	server := httptest.NewServer(mux)
	defer server.Close()
	config := func(timeout time.Duration) *rest.Config {
		return &rest.Config{Host: server.URL + "/proxy/", Timeout: timeout}
	}
	for name, make := range map[string]func() (discovery.DiscoveryInterface, error){
		"a discovery client": func() (discovery.DiscoveryInterface, error) {
			return discovery.NewDiscoveryClientForConfig(config(0))
		},
		"a clientset": func() (discovery.DiscoveryInterface, error) {
			c, err := kubernetes.NewForConfig(config(0))
			return c.Discovery(), err
		},
		"a clientset with a timeout": func() (discovery.DiscoveryInterface, error) {
			c, err := kubernetes.NewForConfig(config(5 * time.Second))
			return c.Discovery(), err
		},
	} {
		t.Run(name, func(t *testing.T) {
			client, err := make()
			if err != nil {
				t.Fatal(err)
			}
			prober, err := clientgo.Prober(client)
			if err != nil {
				t.Fatal(err)
			}
			for resource, want := range map[string]bool{"deployments": true, "others": false} {
				gvr := schema.GroupVersionResource{Group: "apps", Version: "v1", Resource: resource}
				served, err := prober.Served(gvr, nil)(t.Context())
				if err != nil || served != want {
					t.Errorf("%s are served: %t, %v", resource, served, err)
				}
			}
		})
	}
}
