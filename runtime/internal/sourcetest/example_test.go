// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package sourcetest_test

import (
	"context"
	"fmt"

	"github.com/indexer-gen/indexer-gen/runtime/internal/sourcetest"
	"github.com/indexer-gen/indexer-gen/runtime/source"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// A Widget stands for a type of the test.
type Widget = metav1.PartialObjectMetadata

// A list fails once and then succeeds.
func ExampleScript() {
	script := new(sourcetest.Script[*Widget]).Lists(
		sourcetest.ListError[*Widget](fmt.Errorf("not now")),
		sourcetest.Objects("7", &Widget{ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: "first"}}),
	)
	for range 2 {
		list, err := script.Source().List(context.Background(), metav1.ListOptions{},
			func(d source.Delta[*Widget], _ error) error {
				fmt.Println(d.Type, d.Key)
				return nil
			})
		fmt.Printf("%q %v\n", list.ResourceVersion, err)
	}
	fmt.Println(len(script.Requests()), "requests")
	// Output:
	// "" not now
	// Replaced ns/first
	// "7" <nil>
	// 2 requests
}
