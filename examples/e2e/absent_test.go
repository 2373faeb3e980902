// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"context"
	"os"
	"sync"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"

	"github.com/indexer-gen/indexer-gen/examples/apiserver"
	"github.com/indexer-gen/indexer-gen/examples/apiserver/restconfig"
	"github.com/indexer-gen/indexer-gen/examples/e2e/absence"
	"github.com/indexer-gen/indexer-gen/runtime/clientgo"
	"github.com/indexer-gen/indexer-gen/runtime/discovery"
	"github.com/indexer-gen/indexer-gen/runtime/informer"
	"github.com/indexer-gen/indexer-gen/runtime/store"
	"github.com/indexer-gen/indexer-gen/runtime/wire"
)

// Informers sync without their types, and follow them.
func TestTypesThatComeAndGo(t *testing.T) {
	own, err := apiserver.Start(t.Context(), apiserver.Options{Progress: os.Stderr})
	if err != nil {
		t.Fatal(err)
	}
	defer own.Close()
	ctx, cancel := context.WithCancel(t.Context())
	var running sync.WaitGroup
	defer func() { cancel(); running.Wait() }()
	absence.Run(t, own, append(natives(ctx, t, own, &running), clientGos(ctx, t, own, &running)...))
}

// natives runs informers of package informer.
func natives(ctx context.Context, t *testing.T, own *apiserver.Server, running *sync.WaitGroup) (all []*absence.Informer) {
	type object = metav1.PartialObjectMetadata
	client := own.HTTPClient()
	t.Cleanup(client.CloseIdleConnections)
	conn := wire.Conn{Client: client, BaseURL: own.URL}.With(wire.MayBeAbsent(discovery.New(client, own.URL, "")))
	for _, gvr := range absence.Types() {
		inf := informer.New(gvr, wire.Source[*object](conn, gvr), store.ForObjects[*object]())
		f := &absence.Informer{Of: "native", Resource: gvr.Resource, Present: inf.Present}
		f.Objects = func() (objects []metav1.Object, err error) {
			for o := range inf.Store().Reader().All() {
				objects = append(objects, o)
			}
			return objects, nil
		}
		inf.AddEventHandler(informer.HandlerFuncs[*object]{
			AddFunc:    func(o *object, _ bool) { f.Added(o) },
			UpdateFunc: func(_, o *object) { f.Updated(o) },
			DeleteFunc: func(d informer.Tombstone[*object]) { f.Deleted(d.Object) },
		})
		running.Go(func() { _ = inf.Run(ctx) })
		synced, stop := context.WithTimeout(ctx, time.Minute)
		defer stop()
		if err := inf.WaitForSync(synced); err != nil {
			t.Fatal(err)
		}
		all = append(all, f)
	}
	return all
}

// clientGos runs informers of package clientgo.
func clientGos(ctx context.Context, t *testing.T, own *apiserver.Server, running *sync.WaitGroup) (all []*absence.Informer) {
	config := restconfig.New(own.Endpoint)
	config.QPS = -1
	client, err := rest.HTTPClientFor(config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.CloseIdleConnections)
	dynamics, err := dynamic.NewForConfigAndClient(config, client)
	if err != nil {
		t.Fatal(err)
	}
	prober := discovery.New(client, config.Host, "")
	for _, gvr := range absence.Types() {
		lw := clientgo.MayBeAbsent(clientgo.ListWatch(dynamics.Resource(gvr), nil), prober.Served(gvr, nil))
		inf := clientgo.NewSharedIndexInformer(lw, &unstructured.Unstructured{}, 0, nil)
		f := &absence.Informer{Of: "client-go", Resource: gvr.Resource}
		f.Present = func() (bool, <-chan struct{}) { return clientgo.Present(inf) }
		f.Objects = func() (objects []metav1.Object, err error) {
			for _, o := range inf.GetStore().List() {
				objects = append(objects, o.(metav1.Object))
			}
			return objects, nil
		}
		if _, err := inf.AddEventHandler(cache.ResourceEventHandlerFuncs{
			AddFunc:    func(o any) { f.Added(o.(metav1.Object)) },
			UpdateFunc: func(_, o any) { f.Updated(o.(metav1.Object)) },
			DeleteFunc: func(o any) {
				if lost, ok := o.(cache.DeletedFinalStateUnknown); ok {
					o = lost.Obj
				}
				f.Deleted(o.(metav1.Object))
			},
		}); err != nil {
			t.Fatal(err)
		}
		running.Go(func() { inf.RunWithContext(ctx) })
		synced, stop := context.WithTimeout(ctx, time.Minute)
		defer stop()
		if err := clientgo.WaitForSync(synced, inf); err != nil {
			t.Fatal(err)
		}
		all = append(all, f)
	}
	return all
}
