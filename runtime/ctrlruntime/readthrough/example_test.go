// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package readthrough_test

import (
	"context"
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/indexer-gen/indexer-gen/runtime/ctrlruntime/readthrough"
	"github.com/indexer-gen/indexer-gen/runtime/informer"
	"github.com/indexer-gen/indexer-gen/runtime/runtimetest"
	"github.com/indexer-gen/indexer-gen/runtime/source"
	"github.com/indexer-gen/indexer-gen/runtime/store"
)

// A Widget stands for a type with large objects, such as Secret.
type Widget = metav1.PartialObjectMetadata

// A test has no server, so it makes the metadata of whole objects. With a server, the source is
// wire.Source[*readthrough.Metadata] with the option Keep.
func Example() {
	server := runtimetest.NewServer[*Widget]()
	server.Set(&Widget{ObjectMeta: metav1.ObjectMeta{
		Namespace: "ns", Name: "w", Annotations: map[string]string{"password": "secret"},
	}})
	metadata := source.Map(server.Source(), func(w *Widget) (*readthrough.Metadata, error) {
		m := &readthrough.Metadata{}
		m.Namespace, m.Name, m.UID, m.ResourceVersion = w.Namespace, w.Name, w.UID, w.ResourceVersion
		return m, nil
	})
	gvr := schema.GroupVersionResource{Group: "example.com", Version: "v1", Resource: "widgets"}
	watch := informer.New(gvr, metadata, store.ForObjects[*readthrough.Metadata]())
	widgets := readthrough.New(watch, server.In, 0)

	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error)
	go func() { ended <- watch.Run(ctx) }()
	w, err := widgets.Get(ctx, types.NamespacedName{Namespace: "ns", Name: "w"})
	fmt.Println(w.Annotations["password"], err)
	_, err = widgets.Get(ctx, types.NamespacedName{Namespace: "ns", Name: "x"})
	fmt.Println(err)
	cancel()
	fmt.Println(<-ended)
	// Output:
	// secret <nil>
	// widgets.example.com "x" not found
	// <nil>
}
