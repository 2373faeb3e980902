// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"io"
	"path/filepath"
	"runtime"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/indexer-gen/indexer-gen/examples/apiserver"
	"github.com/indexer-gen/indexer-gen/examples/objects"
	"github.com/indexer-gen/indexer-gen/examples/quickstart/api/v1alpha1"
	"github.com/indexer-gen/indexer-gen/runtime/runtimetest"
	"github.com/indexer-gen/indexer-gen/runtime/wire"
)

// cluster is where the fleet lives: in this process, or on an API server.
type cluster struct {
	where          string
	sites, devices client
	sources        v1alpha1.InformerSources // from which informers read
	close          func() error
}

// client writes objects of one type, and sets their versions and UIDs.
type client interface {
	Create(ctx context.Context, obj metav1.Object) error
	Update(ctx context.Context, obj metav1.Object) error
	Delete(ctx context.Context, obj metav1.Object) error
}

// inProcess returns a cluster in this process, which behaves like an API server.
func inProcess() *cluster {
	sites, devices := runtimetest.NewServer[*v1alpha1.Site](), runtimetest.NewServer[*v1alpha1.Device]()
	return &cluster{
		where:   "this process (with -apiserver: a real API server, which takes minutes to build)",
		sites:   memory[*v1alpha1.Site]{sites},
		devices: memory[*v1alpha1.Device]{devices},
		sources: v1alpha1.InformerSources{Devices: devices.Source(), Sites: sites.Source()},
		close:   func() error { return nil },
	}
}

// memory is a client of objects in this process.
type memory[T metav1.Object] struct{ server *runtimetest.Server[T] }

func (m memory[T]) Create(_ context.Context, obj metav1.Object) error {
	m.server.Set(obj.(T))
	return nil
}

func (m memory[T]) Update(ctx context.Context, obj metav1.Object) error { return m.Create(ctx, obj) }

func (m memory[T]) Delete(_ context.Context, obj metav1.Object) error {
	m.server.Delete(obj.GetNamespace(), obj.GetName())
	return nil
}

// onServer starts etcd and an API server, and builds them unless they are built.
func onServer(ctx context.Context, progress io.Writer) (*cluster, error) {
	server, err := apiserver.Start(ctx, apiserver.Options{CRDs: []string{crds()}, Progress: progress})
	if err != nil {
		return nil, err
	}
	http := server.HTTPClient()
	conn := wire.Conn{Client: http, BaseURL: server.URL}
	return &cluster{
		where:   server.URL,
		sites:   objects.Client{HTTP: http, URL: server.URL, Resource: v1alpha1.SitesResource},
		devices: objects.Client{HTTP: http, URL: server.URL, Resource: v1alpha1.DevicesResource},
		sources: v1alpha1.InformerSources{
			Devices: wire.Source[*v1alpha1.Device](conn, v1alpha1.DevicesResource),
			Sites:   wire.Source[*v1alpha1.Site](conn, v1alpha1.SitesResource),
		},
		close: func() error {
			http.CloseIdleConnections()
			return server.Close()
		},
	}, nil
}

// crds returns the directory of the manifests, wherever this program is run from.
func crds() string {
	_, file, _, _ := runtime.Caller(0)
	return filepath.Join(filepath.Dir(file), "config", "crd")
}
