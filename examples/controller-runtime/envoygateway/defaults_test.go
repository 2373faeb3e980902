// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package envoygateway

import (
	"context"
	"encoding/json"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	gatewayv1 "sigs.k8s.io/gateway-api/apis/v1"

	"github.com/indexer-gen/indexer-gen/examples/apiserver"
	"github.com/indexer-gen/indexer-gen/examples/apiserver/restconfig"
)

// added holds the index functions that are added to it.
type added map[string]client.IndexerFunc

func (a added) IndexField(_ context.Context, _ client.Object, name string, values client.IndexerFunc) error {
	a[name] = values
	return nil
}

// An API server sets defaults. References mean the same before and after that.
func TestServerDefaults(t *testing.T) {
	out, err := exec.Command("go", "list", "-m", "-f={{.Dir}}", "sigs.k8s.io/gateway-api").Output()
	if err != nil {
		t.Fatal(err)
	}
	crd := filepath.Join(strings.TrimSpace(string(out)), "config/crd/standard/gateway.networking.k8s.io_httproutes.yaml")
	server, err := apiserver.Start(t.Context(), apiserver.Options{CRDs: []string{crd}, Progress: t.Output()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := server.Close(); err != nil {
			t.Error(err)
		}
	})
	scheme, mapper := runtime.NewScheme(), meta.NewDefaultRESTMapper(nil)
	if err := gatewayv1.Install(scheme); err != nil {
		t.Fatal(err)
	}
	mapper.Add(gatewayv1.SchemeGroupVersion.WithKind("HTTPRoute"), meta.RESTScopeNamespace)
	c, err := client.New(restconfig.New(server.Endpoint), client.Options{Scheme: scheme, Mapper: mapper})
	if err != nil {
		t.Fatal(err)
	}
	indexes := added{}
	if err := AddHTTPRouteIndexes(t.Context(), indexes); err != nil {
		t.Fatal(err)
	}
	for i, test := range []struct{ spec, keys string }{
		{`{"parentRefs":[{"name":"a"}]}`, "ByGateway default/a"},
		{`{"parentRefs":[{"name":"a","kind":null,"group":null}]}`, "ByGateway default/a"},
		{`{"parentRefs":[{"name":"a","kind":"ListenerSet"}]}`, "ByListenerSet default/a"},
		{`{"parentRefs":[{"name":"a","group":"example.com"}]}`, ""},
		{`{"parentRefs":[{"name":"a","group":"","kind":"Service"}]}`, ""},
		{`{"parentRefs":[{"name":"a","group":""}]}`, ""},
		{`{"parentRefs":[{"name":"a","namespace":"b"},{"name":"c"}]}`, "ByGateway b/a, ByGateway default/c"},
		{`{"rules":[{"backendRefs":[{"name":"a","port":1}]}]}`, "ByService default/a"},
		{`{"rules":[{"backendRefs":[{"name":"a","port":1,"group":"","kind":"Service"}]}]}`, "ByService default/a"},
		{`{"rules":[{"backendRefs":[{"name":"a","port":1,"group":null,"kind":null}]}]}`, "ByService default/a"},
		{`{"rules":[{"backendRefs":[{"name":"a","kind":"Backend"}]}]}`, ""},
		{`{"rules":[{"backendRefs":[{"name":"a","kind":"Backend","group":"gateway.envoyproxy.io"}]}]}`, "ByBackend default/a"},
		{`{"rules":[{"backendRefs":[{"name":"a","group":"multicluster.x-k8s.io","kind":"ServiceImport","port":1}]}]}`,
			"ByServiceImport default/a"},
	} {
		sent := fmt.Sprintf(`{"apiVersion":"gateway.networking.k8s.io/v1","kind":"HTTPRoute",
			"metadata":{"namespace":"default","name":"r%d"},"spec":%s}`, i, test.spec)
		before, after, raw := new(HTTPRoute), new(HTTPRoute), new(unstructured.Unstructured)
		if err := json.Unmarshal([]byte(sent), before); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal([]byte(sent), raw); err != nil {
			t.Fatal(err)
		}
		if err := c.Create(t.Context(), raw); err != nil {
			t.Fatal(err)
		}
		if err := c.Get(t.Context(), client.ObjectKeyFromObject(raw), after); err != nil {
			t.Fatal(err)
		}
		for what, route := range map[string]*HTTPRoute{"as sent": before, "with defaults": after} {
			var keys []string
			for name, index := range indexes {
				for _, key := range index(route) {
					keys = append(keys, name+" "+key)
				}
			}
			slices.Sort(keys)
			if got := strings.Join(keys, ", "); got != test.keys {
				t.Errorf("%s, %s: the keys are %q, want %q", test.spec, what, got, test.keys)
			}
		}
	}
}
