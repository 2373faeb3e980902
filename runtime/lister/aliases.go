// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package lister

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/indexer-gen/indexer-gen/runtime/store"
)

// The types of package store for Kubernetes objects, whose key is their namespace and name.
type (
	// Store holds the objects of one kind.
	Store[T metav1.Object] = store.Store[types.NamespacedName, T]
	// Reader reads the objects of one kind by namespace and name.
	Reader[T metav1.Object] = store.Reader[types.NamespacedName, T]
	// Query selects objects by one or several indexes.
	Query[T metav1.Object] = store.Query[types.NamespacedName, T]

	// Index finds the objects that have a value.
	Index[T metav1.Object, V comparable] = store.Index[types.NamespacedName, T, V]
	// Unique is an Index whose values are expected to have one object each.
	Unique[T metav1.Object, V comparable] = store.Unique[types.NamespacedName, T, V]
	// Ordered is an Index whose values have an order.
	Ordered[T metav1.Object, V comparable] = store.Ordered[types.NamespacedName, T, V]
	// UniqueOrdered is both Unique and Ordered.
	UniqueOrdered[T metav1.Object, V comparable] = store.UniqueOrdered[types.NamespacedName, T, V]
	// Labels finds objects by their labels.
	Labels[T metav1.Object] = store.Labels[types.NamespacedName, T]
)
