// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package mutation_test

import (
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/indexer-gen/indexer-gen/runtime/mutation"
	"github.com/indexer-gen/indexer-gen/runtime/store"
)

// A handler forgets to copy.
func Example() {
	mutation.Detect() // in your tests: func init() { mutation.Detect() }
	defer store.DetectAll(nil)

	pods := store.ForObjects[*metav1.PartialObjectMetadata](store.WithErrorHandler(func(err error) { fmt.Println(err) }))
	pod := &metav1.PartialObjectMetadata{ObjectMeta: metav1.ObjectMeta{Name: "web", Namespace: "shop"}}
	_ = pods.Set(pod)
	pod.Labels = map[string]string{"seen": "yes"}
	_ = pods.CheckMutations()
	// Output:
	// *v1.PartialObjectMetadata shop/web was changed after it was stored: .metadata.labels was absent and is {"seen":"yes"}; change a copy instead, such as GetCopy returns
}
