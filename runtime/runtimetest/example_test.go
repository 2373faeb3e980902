// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package runtimetest_test

import (
	"context"
	"fmt"

	"github.com/indexer-gen/indexer-gen/runtime/informer"
	"github.com/indexer-gen/indexer-gen/runtime/runtimetest"
	"github.com/indexer-gen/indexer-gen/runtime/store"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// A Widget stands for a type of your own.
type Widget = metav1.PartialObjectMetadata

// An informer runs against a Server as it does against a cluster.
func ExampleServer() {
	srv := runtimetest.NewServer[*Widget]()
	srv.Set(&Widget{ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: "first"}})

	widgets := schema.GroupVersionResource{Group: "example.com", Version: "v1", Resource: "widgets"}
	inf := informer.New(widgets, srv.Source(), store.ForObjects[*Widget]())
	told := make(chan string)
	inf.AddEventHandler(informer.HandlerFuncs[*Widget]{
		AddFunc: func(w *Widget, inInitialList bool) { told <- fmt.Sprintln("added", w.Name, inInitialList) },
	})

	ctx, cancel := context.WithCancel(context.Background())
	stopped := make(chan error)
	go func() { stopped <- inf.Run(ctx) }()
	fmt.Print(<-told)
	rv := srv.Set(&Widget{ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: "second"}})
	fmt.Print(<-told)
	fmt.Println(inf.Store().Reader().WaitFor(ctx, rv))
	cancel()
	fmt.Println(<-stopped)
	// Output:
	// added first true
	// added second false
	// <nil>
	// <nil>
}
