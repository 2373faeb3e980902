// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package stringindex

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Indexer is the part of client-go's cache.Indexer that queries need.
type Indexer interface {
	ByIndex(indexName, indexedValue string) ([]any, error)
}

// Check returns an error if x lacks one of the indexes. They are a client-go cache.Indexers.
func Check[M ~map[string]F, F any](x Indexer, indexes M) error {
	for _, name := range slices.Sorted(maps.Keys(indexes)) {
		if _, err := x.ByIndex(name, ""); err != nil {
			return fmt.Errorf("the Indexer lacks the index %s; add the generated index functions with AddIndexers: %w",
				name, err)
		}
	}
	return nil
}

// Find returns the objects that x has under a value of an index. It returns none if x lacks the index;
// see [Check]. The order is that of x. The objects are shared: do not modify them.
func Find[T any, V comparable](x Indexer, index string, value V) []T {
	found, err := x.ByIndex(index, Encode(value))
	if err != nil {
		return nil
	}
	out := make([]T, 0, len(found))
	for _, obj := range found {
		if typed, ok := obj.(T); ok {
			out = append(out, typed)
		}
	}
	return out
}

// First returns the first object by namespace and name. It returns false if there are none.
func First[T metav1.Object](objs []T) (T, bool) {
	if len(objs) == 0 {
		return *new(T), false
	}
	return slices.MinFunc(objs, func(a, b T) int {
		return cmp.Or(cmp.Compare(a.GetNamespace(), b.GetNamespace()), cmp.Compare(a.GetName(), b.GetName()))
	}), true
}

// FirstOf is [First] for the results of a query that can fail.
func FirstOf[T metav1.Object](objs []T, err error) (T, bool, error) {
	first, ok := First(objs)
	return first, ok, err
}

// Pointers returns pointers to the elements of items.
func Pointers[T any](items []T) []*T {
	out := make([]*T, len(items))
	for i := range items {
		out[i] = &items[i]
	}
	return out
}
