// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package monitors

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"testing"
	"time"

	"github.com/go-logr/logr"
	"github.com/indexer-gen/indexer-gen/examples/apiserver"
	"github.com/indexer-gen/indexer-gen/examples/apiserver/restconfig"
	fleet "github.com/indexer-gen/indexer-gen/examples/quickstart/api/v1alpha1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"
)

var rounds = flag.Int("rounds", 2, "how often TestServiceMonitors installs and removes the type")

// followed is the time in which the manager follows the type.
const followed = 15 * time.Second

const definition = `{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition",
"metadata":{"name":"servicemonitors.monitoring.coreos.com"},"spec":{"group":"monitoring.coreos.com","scope":"Namespaced",
"names":{"plural":"servicemonitors","kind":"ServiceMonitor"},
"versions":[{"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":{"type":"object"}}}]}}`

// TestServiceMonitors starts a manager without the type, and installs and removes it.
func TestServiceMonitors(t *testing.T) {
	ctrl.SetLogger(logr.Discard())
	api, err := apiserver.Start(t.Context(), apiserver.Options{CRDs: []string{"../../quickstart/config/crd"}, Progress: os.Stderr})
	if err != nil {
		t.Fatal(err)
	}
	defer api.Close()
	config := restconfig.New(api.Endpoint)
	config.QPS = -1
	config.Timeout = 3 * time.Second // the answer to a create during the removal of its type may never end
	scheme := runtime.NewScheme()
	if err := fleet.AddToScheme(scheme); err != nil {
		t.Fatal(err)
	}
	m, err := manager.New(config, manager.Options{
		Scheme: scheme, NewCache: newCache(), Metrics: server.Options{BindAddress: "0"},
		Cache: cache.Options{ByObject: map[client.Object]cache.ByObject{newMonitor(): {}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := m.GetFieldIndexer().IndexField(t.Context(), newMonitor(), "name", func(o client.Object) []string {
		return []string{o.GetName()}
	}); err != nil {
		t.Fatal(err)
	}
	if err := add(m); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- m.Start(ctx) }()
	defer func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	}()
	for _, name := range []string{"berlin", "oslo"} {
		if err := m.GetClient().Create(ctx, &fleet.Site{ObjectMeta: metav1.ObjectMeta{Name: name}}); err != nil {
			t.Fatal(err)
		}
	}
	crd := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
		"metadata": map[string]any{"name": "servicemonitors.monitoring.coreos.com"},
	}}
	eventually(t, "absent at first", func() error { return absent(ctx, m) })
	for round := range *rounds {
		if err := api.ApplyCRDBytes(ctx, []byte(definition)); err != nil {
			t.Fatal(err)
		}
		took := eventually(t, "installed", func() error { return present(ctx, m, 2) })
		if rand.N(4) == 0 {
			if err := api.RestartServer(ctx); err != nil {
				t.Fatal(err)
			}
			eventually(t, "restarted", func() error { return present(ctx, m, 2) })
		}
		if err := m.GetClient().Delete(ctx, crd.DeepCopy()); err != nil {
			t.Fatal(err)
		}
		within(t, 2*time.Minute, "deleted", func() error {
			if err := m.GetAPIReader().Get(ctx, client.ObjectKeyFromObject(crd), crd.DeepCopy()); err == nil {
				return fmt.Errorf("it is still there")
			}
			return nil
		})
		if rand.N(3) == 0 {
			t.Logf("round %d: installed after %v, and again at once", round, took)
			continue
		}
		t.Logf("round %d: installed after %v, removed after %v", round, took,
			eventually(t, "removed", func() error { return absent(ctx, m) }))
	}
}

// lists lists the ServiceMonitors in both forms, and Gets one.
func lists(ctx context.Context, m manager.Manager) (n int, errs [3]error) {
	whole, part := &unstructured.UnstructuredList{}, &metav1.PartialObjectMetadataList{}
	list := kind
	list.Kind += "List"
	whole.SetGroupVersionKind(list)
	part.SetGroupVersionKind(list)
	errs[0] = m.GetCache().List(ctx, whole, client.MatchingFields{"name": "oslo"})
	errs[1] = m.GetCache().List(ctx, part)
	errs[2] = m.GetCache().Get(ctx, client.ObjectKey{Namespace: namespace, Name: "oslo"}, newMonitor())
	if len(whole.Items) == 0 {
		return 0, errs
	}
	return len(part.Items), errs
}

func absent(ctx context.Context, m manager.Manager) error {
	_, errs := lists(ctx, m)
	for i, err := range errs {
		if !meta.IsNoMatchError(err) {
			return fmt.Errorf("read %d: %v", i, err)
		}
	}
	return nil
}

func present(ctx context.Context, m manager.Manager, want int) error {
	n, errs := lists(ctx, m)
	for i, err := range errs {
		if err != nil {
			return fmt.Errorf("read %d: %w", i, err)
		}
	}
	if n != want {
		return fmt.Errorf("%d ServiceMonitors", n)
	}
	return nil
}

// eventually waits until check returns nil.
func eventually(t *testing.T, what string, check func() error) time.Duration {
	t.Helper()
	return within(t, followed+5*time.Second, what, check)
}

func within(t *testing.T, limit time.Duration, what string, check func() error) time.Duration {
	t.Helper()
	for began := time.Now(); ; time.Sleep(50 * time.Millisecond) {
		err := check()
		if took := time.Since(began); err == nil || took > limit {
			if err != nil {
				t.Fatalf("%s: after %v: %v", what, took, err)
			}
			return took.Round(time.Millisecond)
		}
	}
}
