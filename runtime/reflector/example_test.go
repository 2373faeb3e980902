// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package reflector_test

import (
	"context"
	"fmt"

	"github.com/indexer-gen/indexer-gen/runtime/delta"
	"github.com/indexer-gen/indexer-gen/runtime/queue"
	"github.com/indexer-gen/indexer-gen/runtime/reflector"
	"github.com/indexer-gen/indexer-gen/runtime/runtimetest"
	"github.com/indexer-gen/indexer-gen/runtime/store"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// A Widget stands for a type of your own.
type Widget = metav1.PartialObjectMetadata

// listing is a sink that prints lists. A list ends the example.
type listing struct{ stop context.CancelFunc }

func (l listing) Replace(_ context.Context, r delta.Batch[types.NamespacedName, *Widget]) error {
	for _, d := range r.Deltas {
		fmt.Println(d.Key)
	}
	l.stop()
	return nil
}

func (listing) Push(context.Context, delta.Delta[types.NamespacedName, *Widget], string) error {
	return nil
}

func (listing) Bookmark(string) error { return nil }

// A reflector reads a source into a sink of your own.
func ExampleReflector() {
	srv := runtimetest.NewServer[*Widget]()
	srv.Set(&Widget{ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: "first"}})
	ctx, stop := context.WithCancel(context.Background())
	reflector.New(srv.Source(), listing{stop}, reflector.Options[*Widget]{}).Run(ctx)
	// Output: ns/first
}

// A reflector, a queue and a store mirror a source by hand, as an informer does.
func Example_store() {
	srv := runtimetest.NewServer[*Widget]()
	srv.Set(&Widget{ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: "first"}})

	s := store.ForObjects[*Widget]()
	feeder := store.NewFeeder(s, nil)
	q := queue.NewInOrder(queue.Config[types.NamespacedName, *Widget]{})
	r := reflector.New(srv.Source(), q, reflector.Options[*Widget]{Known: s.Reader().Get})
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() { defer close(ended); r.Run(ctx) }()

	apply := func(b *delta.Batch[types.NamespacedName, *Widget]) error {
		for _, c := range feeder.Apply(b) { // of a whole list, the store deletes what it lacks
			fmt.Println(c.Type, c.New.Name, "at", s.Reader().ResourceVersion())
		}
		return nil
	}
	fmt.Println(q.Pop(ctx, apply))
	srv.Delete("ns", "first")
	for s.Reader().Len() > 0 {
		_ = q.Pop(ctx, apply)
	}
	stop()
	<-ended
	// Output:
	// Added first at 2
	// <nil>
	// Deleted first at 3
}
