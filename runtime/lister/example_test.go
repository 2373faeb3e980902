// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package lister_test

import (
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/indexer-gen/indexer-gen/runtime/lister"
	"github.com/indexer-gen/indexer-gen/runtime/store"
)

func Example() {
	s := store.ForObjects[*metav1.PartialObjectMetadata]()
	l := lister.New(s, schema.GroupResource{Group: "example.com", Resource: "devices"})
	obj := &metav1.PartialObjectMetadata{}
	obj.Namespace, obj.Name = "plant", "pump"
	if err := s.Set(obj); err != nil {
		fmt.Println(err)
	}
	found, err := l.Namespace("plant").Get("pump")
	fmt.Println(found.Name, err)
	_, err = l.Namespace("plant").Get("valve")
	fmt.Println(err, apierrors.IsNotFound(err))
	// Output:
	// pump <nil>
	// devices.example.com "valve" not found true
}
