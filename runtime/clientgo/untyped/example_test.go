// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package untyped_test

import (
	"fmt"

	"github.com/indexer-gen/indexer-gen/runtime/clientgo/untyped"
	"github.com/indexer-gen/indexer-gen/runtime/store"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// A typed store is read and written by code that does not know the type.
func ExampleOfStore() {
	typed := store.ForObjects[*metav1.PartialObjectMetadata]()
	s := untyped.OfStore(typed)
	fmt.Println(s.Set(&metav1.PartialObjectMetadata{ObjectMeta: metav1.ObjectMeta{Name: "a"}}))
	fmt.Println(s.Len(), typed.Reader().Len())
	// Output:
	// <nil>
	// 1 1
}
