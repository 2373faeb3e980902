// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package reflector_test

import (
	"context"
	"fmt"

	"github.com/indexer-gen/indexer-gen/runtime/queue"
	"github.com/indexer-gen/indexer-gen/runtime/reflector"
	"github.com/indexer-gen/indexer-gen/runtime/runtimetest"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// A Widget stands for a type of your own.
type Widget = metav1.PartialObjectMetadata

// listing is a sink that prints lists. A list ends the example.
type listing struct{ stop context.CancelFunc }

func (l listing) Replace(_ context.Context, r queue.Replacement[types.NamespacedName, *Widget]) error {
	for _, d := range r.Deltas {
		fmt.Println(d.Key)
	}
	l.stop()
	return nil
}

func (listing) Push(context.Context, queue.Delta[types.NamespacedName, *Widget], string) error {
	return nil
}

func (listing) Bookmark(string) error { return nil }

// A reflector reads a source into a sink of your own.
func ExampleReflector() {
	srv := runtimetest.NewServer[*Widget]()
	srv.Set(&Widget{ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: "first"}})
	ctx, stop := context.WithCancel(context.Background())
	reflector.New(srv, listing{stop}, reflector.Options[*Widget]{}).Run(ctx)
	// Output: ns/first
}
