// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package stringindex_test

import (
	"fmt"

	"github.com/indexer-gen/indexer-gen/runtime/stringindex"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// Func makes a client-go cache.IndexFunc of a typed function.
func ExampleFunc() {
	byUID := func(dst []types.UID, obj *metav1.PartialObjectMetadata) []types.UID {
		return append(dst, obj.UID)
	}
	values, err := stringindex.Func(byUID)(&metav1.PartialObjectMetadata{ObjectMeta: metav1.ObjectMeta{UID: "1"}})
	fmt.Println(values, err)
	fmt.Println(values[0] == stringindex.Encode(types.UID("1")))
	// Output:
	// [1] <nil>
	// true
}
