// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package index

import (
	"math"
	"slices"
	"testing"
)

// Comparing objects with thousands of values takes linear time.
func TestAmongManyValues(t *testing.T) {
	for _, n := range []int{0, 1, manyValues, manyValues + 1, 5000} {
		values := make([]int, n)
		for i := range values {
			values[i] = 2 * i
		}
		a := newValueSet(values)
		if table := a.lookup != nil; table != (n > manyValues) {
			t.Errorf("%d values in a table: %v", n, table)
		}
		for i := range 2 * n {
			if a.contains(i) != (i%2 == 0) {
				t.Errorf("%d among %d values: %v", i, n, a.contains(i))
			}
		}
	}
}

// Duplicates and NaNs are dropped, the others keep their order.
func TestDedupe(t *testing.T) {
	for _, n := range []int{0, 1, 2, manyValues, 2 * manyValues} {
		values := []float64{}
		for i := range n {
			values = append(values, float64(n-i))
		}
		if got := dropDuplicatesAndNaNs(slices.Clone(values)); !slices.Equal(got, values) {
			t.Errorf("%v became %v", values, got)
		}
		if n == 0 {
			continue
		}
		more := append(slices.Clone(values), math.NaN(), values[0], math.NaN(), values[n-1])
		if got := dropDuplicatesAndNaNs(more); !slices.Equal(got, values) {
			t.Errorf("%v and their duplicates became %v", values, got)
		}
	}
	if got := dropDuplicatesAndNaNs([]float64{math.NaN()}); len(got) > 0 {
		t.Errorf("NaN became %v", got)
	}
}

// An object with many values is not held by the memory that is reused.
func TestResetClearsManyValues(t *testing.T) {
	q := hashedValues[string]{values: slices.Repeat([]string{"value"}, 17)}
	q.reset()
	if held := q.values[:17]; slices.Contains(held, "value") {
		t.Errorf("values are held: %q", held)
	}
}
