// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package lister

import (
	"iter"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/indexer-gen/indexer-gen/runtime/store"
)

// Lister reads objects of a namespaced kind.
type Lister[T metav1.Object] struct {
	resourceReader[T]
	namespaceIndex Index[T, string]
}

// New returns a live lister over s. It adds an index of namespaces to s if s has none; several
// listers of one store share it. resource is for the errors of Get.
func New[T metav1.Object](s *Store[T], resource schema.GroupResource) Lister[T] {
	return Lister[T]{
		resourceReader: resourceReader[T]{reader: s.Reader(), resource: &resource},
		namespaceIndex: store.AddNamespaces(s),
	}
}

// Get returns an object, or apimachinery's NotFound.
func (l Lister[T]) Get(namespace, name string) (T, error) {
	return l.get(types.NamespacedName{Namespace: namespace, Name: name})
}

// GetCopy returns a deep copy of an object, which the caller may change.
func (l Lister[T]) GetCopy(namespace, name string) (T, error) {
	return l.getCopy(types.NamespacedName{Namespace: namespace, Name: name})
}

// Namespace returns a lister of one namespace, or, as in client-go, of all of
// them if namespace is empty.
func (l Lister[T]) Namespace(namespace string) NamespaceLister[T] {
	return NamespaceLister[T]{l, namespace}
}

// Namespaces yields each namespace that has objects, and how many.
func (l Lister[T]) Namespaces() iter.Seq2[string, int] { return l.namespaceIndex.Values(l.reader) }

// Snapshot returns a lister of the store as it is now.
func (l Lister[T]) Snapshot() Lister[T] {
	l.reader = l.reader.Snapshot()
	return l
}

// NamespaceLister reads the objects of one namespace.
type NamespaceLister[T metav1.Object] struct {
	allNamespaces Lister[T]
	namespace     string
}

// Get returns an object of the namespace, or apimachinery's NotFound.
func (l NamespaceLister[T]) Get(name string) (T, error) {
	return l.allNamespaces.Get(l.namespace, name)
}

// GetCopy returns a deep copy of an object, which the caller may change.
func (l NamespaceLister[T]) GetCopy(name string) (T, error) {
	return l.allNamespaces.GetCopy(l.namespace, name)
}

// All yields every object of the namespace.
func (l NamespaceLister[T]) All() iter.Seq[T] {
	return l.allNamespaces.namespaceIndex.GetOrAll(l.allNamespaces.reader, l.namespace, l.namespace == metav1.NamespaceAll)
}

// List yields the objects of the namespace whose labels selector matches.
func (l NamespaceLister[T]) List(selector labels.Selector) iter.Seq[T] {
	switch {
	case selector == nil || selector.Empty():
		return l.All()
	case l.namespace == metav1.NamespaceAll:
		return l.allNamespaces.List(selector)
	}
	return store.AllOf(l.allNamespaces.namespaceIndex.Equal(l.namespace), selectorQuery[T](selector)).Get(l.allNamespaces.reader)
}

// Len returns how many objects the namespace has.
func (l NamespaceLister[T]) Len() int {
	if l.namespace == metav1.NamespaceAll {
		return l.allNamespaces.Len()
	}
	return l.allNamespaces.namespaceIndex.Count(l.allNamespaces.reader, l.namespace)
}
