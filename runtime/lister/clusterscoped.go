// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package lister

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
)

// ClusterScopedLister reads objects of a cluster-scoped kind.
type ClusterScopedLister[T metav1.Object] struct{ resourceReader[T] }

// NewClusterScoped returns a live lister over s. The errors of Get name resource.
func NewClusterScoped[T metav1.Object](s *Store[T], resource schema.GroupResource) ClusterScopedLister[T] {
	return ClusterScopedLister[T]{resourceReader[T]{reader: s.Reader(), resource: &resource}}
}

// Get returns the object, or apimachinery's NotFound error.
func (l ClusterScopedLister[T]) Get(name string) (T, error) {
	return l.get(types.NamespacedName{Name: name})
}

// GetCopy returns a deep copy of the object, which the caller may change.
func (l ClusterScopedLister[T]) GetCopy(name string) (T, error) {
	return l.getCopy(types.NamespacedName{Name: name})
}

// Snapshot returns a lister of the store as it is now.
func (l ClusterScopedLister[T]) Snapshot() ClusterScopedLister[T] {
	l.reader = l.reader.Snapshot()
	return l
}
