// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package store

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// namespaceIndex is the index of namespaces of a store.
type namespaceIndex[K comparable, T metav1.Object] struct{ Index[K, T, string] }

// AddNamespaces adds an index of namespaces to s, named Namespace, as listers do. A store has
// at most one: if it exists, AddNamespaces returns it.
func AddNamespaces[K comparable, T metav1.Object](s *Store[K, T]) Index[K, T, string] {
	return Extension(s, func() namespaceIndex[K, T] {
		namespaceOf := func(dst []string, obj T) []string { return append(dst, obj.GetNamespace()) }
		return namespaceIndex[K, T]{AddIndex(s, "Namespace", namespaceOf)}
	}).Index
}
