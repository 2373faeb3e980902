// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package informer_test

import (
	"context"
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/indexer-gen/indexer-gen/runtime/informer"
	"github.com/indexer-gen/indexer-gen/runtime/runtimetest"
	"github.com/indexer-gen/indexer-gen/runtime/store"
)

// Mirror a resource, and be notified of every object.
func ExampleInformer() {
	type device = metav1.PartialObjectMetadata
	srv := runtimetest.NewServer[*device]()
	srv.Set(&device{ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: "sensor"}})

	devices := informer.New(
		schema.GroupVersionResource{Group: "example.com", Version: "v1", Resource: "devices"},
		srv.Source(),
		store.ForObjects[*device](),
	)
	registration := devices.AddEventHandler(informer.HandlerFuncs[*device]{
		AddFunc: func(d *device, inInitialList bool) { fmt.Println("added", d.Name, inInitialList) },
	})

	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error)
	go func() { done <- devices.Run(ctx) }()
	if err := registration.WaitForSync(ctx); err != nil {
		fmt.Println(err)
	}
	fmt.Println(devices.Store().Reader().Len(), "in the store")
	cancel()
	fmt.Println(<-done)
	// Output:
	// added sensor true
	// 1 in the store
	// <nil>
}
