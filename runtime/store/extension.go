// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package store

import (
	"reflect"
	"sync"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Extension returns the V of s. The first call for a type V makes it by create; calls meanwhile wait. Emitted
// listers keep their indexes this way, so all listers of one type over one store share them.
func Extension[V any, K comparable, T any](s *Store[K, T], create func() V) V {
	made, _ := s.once.LoadOrStore(reflect.TypeFor[V](), sync.OnceValue(create))
	return made.(func() V)()
}

// namespaces is the index of namespaces of a store.
type namespaces[K comparable, T metav1.Object] struct{ Index[K, T, string] }

// AddNamespaces adds an index of namespaces to s, named Namespace, as listers do. A store has
// at most one: if it exists, AddNamespaces returns it.
func AddNamespaces[K comparable, T metav1.Object](s *Store[K, T]) Index[K, T, string] {
	return Extension(s, func() namespaces[K, T] {
		of := func(dst []string, obj T) []string { return append(dst, obj.GetNamespace()) }
		return namespaces[K, T]{AddIndex(s, "Namespace", of)}
	}).Index
}
