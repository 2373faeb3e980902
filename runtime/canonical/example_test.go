// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package canonical_test

import (
	"fmt"

	"github.com/indexer-gen/indexer-gen/runtime/canonical"
	"k8s.io/apimachinery/pkg/api/resource"
)

// Equal quantities are equal keys, however they are written.
func ExampleQuantityOf() {
	a, b := resource.MustParse("1.5"), resource.MustParse("1500m")
	fmt.Println(a == b)
	fmt.Println(canonical.QuantityOf(a) == canonical.QuantityOf(b))
	// Output:
	// false
	// true
}
