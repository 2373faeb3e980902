// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package reflector_test

import (
	"context"
	"fmt"

	"github.com/indexer-gen/indexer-gen/runtime/delta"
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

// mirror applies what it gets to a store at once.
type mirror struct {
	*store.Feeder[types.NamespacedName, *Widget]
	gone chan struct{} // closed by a deletion
}

func (m mirror) Push(_ context.Context, d delta.Delta[types.NamespacedName, *Widget], resourceVersion string) error {
	return m.apply(delta.Batch[types.NamespacedName, *Widget]{
		Deltas: []delta.Delta[types.NamespacedName, *Widget]{d}, ResourceVersion: resourceVersion,
	})
}

func (m mirror) Replace(_ context.Context, list delta.Batch[types.NamespacedName, *Widget]) error {
	list.Replace = true // the store deletes what the list lacks
	return m.apply(list)
}

func (m mirror) Bookmark(resourceVersion string) error {
	return m.apply(delta.Batch[types.NamespacedName, *Widget]{ResourceVersion: resourceVersion})
}

func (m mirror) apply(b delta.Batch[types.NamespacedName, *Widget]) error {
	for _, c := range m.Apply(&b) {
		fmt.Println(c.Type, c.New.Name, "at", b.ResourceVersion)
		if c.Type == store.Deleted {
			close(m.gone)
		}
	}
	return nil
}

// A reflector and a store mirror a source by hand, as an informer does.
func Example_store() {
	srv := runtimetest.NewServer[*Widget]()
	srv.Set(&Widget{ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: "first"}})

	s := store.ForObjects[*Widget]()
	m := mirror{store.NewFeeder(s, nil), make(chan struct{})}
	r := reflector.New(srv.Source(), m, reflector.Options[*Widget]{Known: s.Reader().Get})
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() { defer close(ended); r.Run(ctx) }()

	_ = s.Reader().WaitFor(ctx, "2")
	srv.Delete("ns", "first")
	<-m.gone
	stop()
	<-ended
	// Output:
	// Added first at 2
	// Deleted first at 3
}
