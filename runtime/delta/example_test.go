// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package delta_test

import (
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/indexer-gen/indexer-gen/runtime/delta"
)

// A delta of an object that was created. Its key is that of the object.
func ExampleKeyOf() {
	type device = metav1.PartialObjectMetadata
	obj := &device{ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: "sensor"}}
	key, err := delta.KeyOf(obj)
	d := delta.Delta[types.NamespacedName, *device]{Type: delta.Added, Key: key, Object: obj}
	fmt.Println(d.Type, d.Key, err)
	// Output: Added ns/sensor <nil>
}
