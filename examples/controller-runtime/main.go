// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"os"
	"os/signal"
	"path/filepath"
	goruntime "runtime"

	"github.com/go-logr/logr"
	"github.com/indexer-gen/indexer-gen/examples/apiserver"
	"github.com/indexer-gen/indexer-gen/examples/apiserver/restconfig"
	fleet "github.com/indexer-gen/indexer-gen/examples/quickstart/api/v1alpha1"
	"github.com/indexer-gen/indexer-gen/runtime/ctrlruntime"
	"github.com/indexer-gen/indexer-gen/runtime/informer"
	"github.com/indexer-gen/indexer-gen/runtime/kubeconn"
	"github.com/indexer-gen/indexer-gen/runtime/prometheus"
	"github.com/indexer-gen/indexer-gen/runtime/source"
	"github.com/indexer-gen/indexer-gen/runtime/watch"
	"github.com/indexer-gen/indexer-gen/runtime/wire"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/rest"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/metrics"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	ctrl.SetLogger(logr.FromSlogHandler(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelWarn})))
	opts := manager.Options{Metrics: server.Options{BindAddress: "0"}}
	if err := run(ctx, opts, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "controller-runtime:", err)
		os.Exit(1)
	}
}

// run starts an API server with a few sites and devices, and a manager, and prints
// what the controller has counted.
func run(ctx context.Context, opts manager.Options, out io.Writer) (err error) {
	fmt.Fprintln(out, "starting etcd and an API server (the first time, building them takes minutes)")
	s, err := apiserver.Start(ctx, apiserver.Options{CRDs: []string{crds()}, Progress: out})
	if err != nil {
		return err
	}
	defer func() {
		if closeErr := s.Close(); err == nil {
			err = closeErr
		}
	}()
	config := restconfig.New(s.Endpoint)
	opts.NewCache = ctrlruntime.NewCache
	m, err := newManager(config, opts)
	if err != nil {
		return err
	}
	defer m.GetHTTPClient().CloseIdleConnections()
	if err := addToCache(ctx, m); err != nil {
		return err
	}
	conn, err := kubeconn.FromConfig(config)
	if err != nil {
		return err
	}
	for _, obj := range manifests() {
		if err := m.GetClient().Create(ctx, obj); err != nil {
			return err
		}
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	ended := make(chan error, 1)
	go func() {
		defer cancel()
		ended <- m.Start(ctx)
	}()
	err = printCounts(ctx, wire.Source[*fleet.Site](conn, fleet.SitesResource), out)
	cancel()
	if stopped := <-ended; stopped != nil {
		return stopped
	}
	return err
}

// newManager returns a manager without controllers.
func newManager(config *rest.Config, opts manager.Options) (manager.Manager, error) {
	opts.Scheme = runtime.NewScheme()
	if err := fleet.AddToScheme(opts.Scheme); err != nil {
		return nil, err
	}
	opts.MapperProvider = mapper // for the API server of the examples: leave it out for a cluster
	return manager.New(config, opts)
}

// newInformers returns informers whose errors m logs and whose metrics it serves.
func newInformers(m manager.Manager) (*fleet.Informers, error) {
	conn, err := kubeconn.FromConfig(m.GetConfig())
	if err != nil {
		return nil, err
	}
	log := m.GetLogger()
	informers := fleet.NewInformers(
		fleet.InformerSources{
			Devices: wire.Source[*fleet.Device](conn, fleet.DevicesResource),
			Sites:   wire.Source[*fleet.Site](conn, fleet.SitesResource),
		},
		informer.WithErrorHandler(func(err error) { log.Error(err, "informer") }))
	metrics.Registry.MustRegister(prometheus.NewCollector(informers.Stats))
	return informers, nil
}

// mapper knows what the types are served as. The API server of the examples has custom
// resources alone, and not the core group, for which controller-runtime asks first.
func mapper(*rest.Config, *http.Client) (meta.RESTMapper, error) {
	m := meta.NewDefaultRESTMapper(nil)
	m.Add(fleet.GroupVersion.WithKind("Site"), meta.RESTScopeRoot)
	m.Add(fleet.GroupVersion.WithKind("Device"), meta.RESTScopeNamespace)
	return m, nil
}

// printCounts prints the counts of the controller until every Site of manifests has one.
func printCounts(ctx context.Context, sites source.Source[*fleet.Site], out io.Writer) error {
	missing := map[string]bool{"berlin": true, "oslo": true}
	for event, err := range watch.Events(ctx, sites, watch.Options[*fleet.Site]{}) {
		if err != nil {
			return err
		}
		if event.Object == nil {
			continue // a bookmark
		}
		if count, ok := event.Object.Annotations[offlineAnnotation]; ok && missing[event.Object.Name] {
			delete(missing, event.Object.Name)
			fmt.Fprintf(out, "%s: %s offline\n", event.Object.Name, count)
		}
		if len(missing) == 0 {
			break
		}
	}
	return nil
}

func manifests() []client.Object {
	site := func(name string) client.Object {
		return &fleet.Site{ObjectMeta: metav1.ObjectMeta{Name: name}, Spec: fleet.SiteSpec{Region: "north"}}
	}
	device := func(name, site string, phase fleet.DevicePhase) client.Object {
		return &fleet.Device{
			ObjectMeta: metav1.ObjectMeta{Namespace: "fleet", Name: name},
			Spec:       fleet.DeviceSpec{Site: site, Model: "m1"},
			Status:     fleet.DeviceStatus{Phase: phase},
		}
	}
	return []client.Object{
		site("berlin"), site("oslo"),
		device("a", "berlin", fleet.DeviceOffline), device("b", "berlin", fleet.DeviceOnline),
		device("c", "berlin", fleet.DeviceOffline),
		device("d", "oslo", fleet.DeviceOnline),
	}
}

// crds is the directory of the definitions of Sites and Devices.
func crds() string {
	_, file, _, _ := goruntime.Caller(0)
	return filepath.Join(filepath.Dir(file), "..", "quickstart", "config", "crd")
}
