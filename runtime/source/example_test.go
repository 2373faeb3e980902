// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package source_test

import (
	"context"
	"fmt"

	"github.com/indexer-gen/indexer-gen/runtime/delta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/indexer-gen/indexer-gen/runtime/runtimetest"
	"github.com/indexer-gen/indexer-gen/runtime/slim"
	"github.com/indexer-gen/indexer-gen/runtime/source"
)

// List a source of two namespaces, part by part. Informers do this by themselves.
func ExampleForEach() {
	type device = metav1.PartialObjectMetadata
	srv := runtimetest.NewServer[*device]()
	for _, ns := range []string{"a", "b", "c"} {
		srv.Set(&device{ObjectMeta: metav1.ObjectMeta{Namespace: ns, Name: "sensor"}})
	}
	namespaces := source.NewNamespaces("a", "b")
	src := source.ForEach(namespaces, srv.In)

	n := 0
	for _, part := range src.Parts().Sources() {
		_, err := part.List(context.Background(), metav1.ListOptions{}, func(source.Delta[*device], error) error {
			n++
			return nil
		})
		if err != nil {
			fmt.Println(err)
		}
	}
	fmt.Println(n, "devices")
	// Output: 2 devices
}

// A cache of the names of Devices that are not retired.
func ExampleMap() {
	type device = metav1.PartialObjectMetadata
	type name struct{ slim.Meta }
	srv := runtimetest.NewServer[*device]()
	srv.Set(&device{ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: "sensor"}})
	srv.Set(&device{ObjectMeta: metav1.ObjectMeta{
		Namespace: "ns", Name: "relic", Labels: map[string]string{"retired": "true"},
	}})
	src := source.Map(srv.Source(), func(d *device) (*name, error) {
		if d.Labels["retired"] != "" {
			return nil, source.ErrDrop
		}
		return &name{slim.MetaOf(d)}, nil
	})
	_, err := src.List(context.Background(), metav1.ListOptions{}, func(item source.Delta[*name], err error) error {
		if item.Type != delta.Dropped {
			fmt.Println(item.Object.Name)
		}
		return nil
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output: sensor
}
