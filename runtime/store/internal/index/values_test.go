// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package index

import (
	"testing"
)

// Comparing objects with thousands of values takes linear time.
func TestAmongManyValues(t *testing.T) {
	for _, n := range []int{0, 1, manyValues, manyValues + 1, 5000} {
		values := make([]int, n)
		for i := range values {
			values[i] = 2 * i
		}
		a := amongst(values)
		if table := a.many != nil; table != (n > manyValues) {
			t.Errorf("%d values in a table: %v", n, table)
		}
		for i := range 2 * n {
			if a.has(i) != (i%2 == 0) {
				t.Errorf("%d among %d values: %v", i, n, a.has(i))
			}
		}
	}
}
