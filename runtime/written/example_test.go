// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package written_test

import (
	"context"
	"fmt"

	"github.com/indexer-gen/indexer-gen/runtime/informer"
	"github.com/indexer-gen/indexer-gen/runtime/runtimetest"
	"github.com/indexer-gen/indexer-gen/runtime/store"
	"github.com/indexer-gen/indexer-gen/runtime/written"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// A Widget stands for a type of your own.
type Widget = metav1.PartialObjectMetadata

// A program creates an object and waits until its cache has it.
func ExampleWrites() {
	srv := runtimetest.NewServer[*Widget]()
	create := func(w *Widget) (*Widget, error) { // a client's Create
		w.UID = "1"
		w.ResourceVersion = srv.Set(w)
		return w, nil
	}
	gvr := schema.GroupVersionResource{Group: "example.com", Version: "v1", Resource: "widgets"}
	inf := informer.New(gvr, srv.Source(), store.ForObjects[*Widget]())
	ctx, cancel := context.WithCancel(context.Background())
	stopped := make(chan error)
	go func() { stopped <- inf.Run(ctx) }()

	widgets := inf.Store().Reader()
	writes := written.New(widgets)
	_, err := writes.Note(create(&Widget{ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: "w"}}))
	fmt.Println(err)
	fmt.Println(writes.Wait(ctx), widgets.Len())

	cancel()
	fmt.Println(<-stopped)
	// Output:
	// <nil>
	// <nil> 1
	// <nil>
}
