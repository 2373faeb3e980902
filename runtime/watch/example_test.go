// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package watch_test

import (
	"context"
	"fmt"

	"github.com/indexer-gen/indexer-gen/runtime/delta"
	"github.com/indexer-gen/indexer-gen/runtime/runtimetest"
	"github.com/indexer-gen/indexer-gen/runtime/watch"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// A Widget stands for a type of your own.
type Widget = metav1.PartialObjectMetadata

// The existing objects come first, then a bookmark, then changes.
func ExampleEvents() {
	srv := runtimetest.NewServer[*Widget]()
	srv.Set(&Widget{ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: "first"}})

	for event, err := range watch.Events(context.Background(), srv.Source(), watch.Options[*Widget]{}) {
		if err != nil {
			fmt.Println(err) // the events have ended
			return
		}
		switch {
		case event.Type == delta.InitialEnd:
			fmt.Println("all existing objects were read")
			srv.Set(&Widget{ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: "second"}})
		case event.Object != nil:
			fmt.Println(event.Type, event.Object.Name)
		}
		if event.Object != nil && event.Object.Name == "second" {
			break // this ends the watch
		}
	}
	// Output:
	// Added first
	// all existing objects were read
	// Added second
}
