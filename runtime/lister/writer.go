// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package lister

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/indexer-gen/indexer-gen/runtime/store"
)

// Writer writes to a store. It has no other methods, so generated indexers embed it beside their
// lister.
type Writer[T metav1.Object] struct{ store *Store[T] }

// NewWriter returns a Writer of s.
func NewWriter[T metav1.Object](s *Store[T]) Writer[T] { return Writer[T]{s} }

// Set stores obj and replaces the object of its key, if any. See [store.Store.Set].
func (w Writer[T]) Set(obj T) error { return w.store.Set(obj) }

// Delete removes the object of key and reports whether there was one.
func (w Writer[T]) Delete(key types.NamespacedName) bool { return w.store.Delete(key) }

// Replace replaces all objects by objs, and sets the resourceVersion. See [store.Store.Replace].
func (w Writer[T]) Replace(objs []T, resourceVersion string) error {
	return w.store.Replace(objs, resourceVersion)
}

// Apply applies b atomically: a reader sees all of its writes or none. See [store.Store.Apply].
func (w Writer[T]) Apply(b *store.Batch[types.NamespacedName, T]) ([]store.Change[T], error) {
	return w.store.Apply(b)
}
