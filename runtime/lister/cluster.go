// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package lister

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/indexer-gen/indexer-gen/runtime/store"
)

// ClusterLister reads objects of a cluster-scoped kind.
type ClusterLister[T metav1.Object] struct{ reads[T] }

// NewCluster returns a live lister over s. resource is for the errors of Get.
func NewCluster[T metav1.Object](s *store.Store[types.NamespacedName, T], resource schema.GroupResource) ClusterLister[T] {
	return ClusterLister[T]{reads[T]{reader: s.Reader(), resource: &resource}}
}

// Get returns an object, or apimachinery's NotFound.
func (l ClusterLister[T]) Get(name string) (T, error) {
	return l.get(types.NamespacedName{Name: name})
}

// GetCopy returns a deep copy of an object, which the caller may change.
func (l ClusterLister[T]) GetCopy(name string) (T, error) {
	return l.getCopy(types.NamespacedName{Name: name})
}

// Snapshot returns a lister of the store as it is now.
func (l ClusterLister[T]) Snapshot() ClusterLister[T] {
	l.reader = l.reader.Snapshot()
	return l
}
