// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package untyped

import (
	"fmt"
	"iter"
	"slices"

	"github.com/indexer-gen/indexer-gen/runtime/store"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/types"
)

// Store reads and writes a store. Its methods are those of *store.Store and store.Reader, and equally
// safe for concurrent use.
type Store interface {
	// Typed returns the *store.Store[types.NamespacedName, T] that is behind the Store.
	Typed() any
	Get(key types.NamespacedName) (metav1.Object, bool)
	All() iter.Seq[metav1.Object]
	Keys() iter.Seq[types.NamespacedName]
	Len() int
	ResourceVersion() string
	// Set stores obj. It returns an error if obj is not of the store's type.
	Set(obj metav1.Object) error
	Delete(key types.NamespacedName) bool
	// Replace replaces all objects. If one of objs is not of the store's type, it changes nothing and
	// returns an error.
	Replace(objs []metav1.Object, resourceVersion string) error
	// Reach sets the resourceVersion that the store reflects.
	Reach(resourceVersion string)
	// Find yields the objects that match all of terms and selector; a nil selector matches all. A label
	// index of the store is used.
	Find(selector labels.Selector, terms ...Term) iter.Seq[metav1.Object]
	AddIndex(name string, fn func(dst []string, obj metav1.Object) []string) Index
	// AddNamespaces returns the index of namespaces, which typed listers use too.
	AddNamespaces() Index
	CheckMutations() error
}

// Index is an index of a Store.
type Index interface {
	// AppendTo appends the objects that are indexed under value to dst.
	AppendTo(dst []any, value string) []any
	Keys(value string) iter.Seq[types.NamespacedName]
	// In yields the objects that are indexed under any of values, once each.
	In(values ...string) iter.Seq[metav1.Object]
	Count(value string) int
	Values() iter.Seq[string]
	Len() int
}

// Term matches the objects that are indexed under Value.
type Term struct {
	Index Index // of the same store
	Value string
}

// OfStore returns s as a Store.
func OfStore[T metav1.Object](s *store.Store[types.NamespacedName, T]) Store {
	return storeOf[T]{s, s.Reader()}
}

type storeOf[T metav1.Object] struct {
	s *store.Store[types.NamespacedName, T]
	r store.Reader[types.NamespacedName, T]
}

func (s storeOf[T]) Typed() any { return s.s }

func (s storeOf[T]) Get(key types.NamespacedName) (metav1.Object, bool) {
	obj, ok := s.r.Get(key)
	if !ok {
		return nil, false
	}
	return obj, true
}

func (s storeOf[T]) All() iter.Seq[metav1.Object]         { return objects(s.r.All()) }
func (s storeOf[T]) Keys() iter.Seq[types.NamespacedName] { return s.r.Keys() }
func (s storeOf[T]) Len() int                             { return s.r.Len() }
func (s storeOf[T]) ResourceVersion() string              { return s.r.ResourceVersion() }
func (s storeOf[T]) Delete(key types.NamespacedName) bool { return s.s.Delete(key) }
func (s storeOf[T]) CheckMutations() error                { return s.s.CheckMutations() }

func (s storeOf[T]) Set(obj metav1.Object) error {
	typed, err := as[T](obj)
	if err != nil {
		return err
	}
	return s.s.Set(typed)
}

func (s storeOf[T]) Replace(objs []metav1.Object, resourceVersion string) error {
	typed := make([]T, len(objs))
	for i, obj := range objs {
		var err error
		if typed[i], err = as[T](obj); err != nil {
			return err
		}
	}
	return s.s.Replace(typed, resourceVersion)
}

func (s storeOf[T]) Reach(resourceVersion string) {
	var b store.Batch[types.NamespacedName, T]
	b.ResourceVersion(resourceVersion)
	_, _ = s.s.Apply(&b) // it fails only for objects
}

func (s storeOf[T]) AddIndex(name string, fn func(dst []string, obj metav1.Object) []string) Index {
	typed := func(dst []string, obj T) []string { return fn(dst, obj) }
	return indexOf[T]{store.AddIndex(s.s, name, typed), s.r}
}

func (s storeOf[T]) AddNamespaces() Index { return indexOf[T]{store.AddNamespaces(s.s), s.r} }

func (s storeOf[T]) Find(selector labels.Selector, terms ...Term) iter.Seq[metav1.Object] {
	queries := make([]store.Query[types.NamespacedName, T], 0, len(terms)+1)
	for _, term := range terms {
		queries = append(queries, term.Index.(indexOf[T]).x.Equal(term.Value))
	}
	if selector != nil && !selector.Empty() {
		queries = append(queries, store.Matching[types.NamespacedName, T](selector))
	}
	return objects(store.AllOf(queries...).Get(s.r))
}

type indexOf[T metav1.Object] struct {
	x store.Index[types.NamespacedName, T, string]
	r store.Reader[types.NamespacedName, T]
}

func (x indexOf[T]) AppendTo(dst []any, value string) []any {
	n := x.Count(value)
	if n == 0 {
		return dst
	}
	dst = slices.Grow(dst, n)
	for obj := range x.x.Get(x.r, value) {
		dst = append(dst, obj)
	}
	return dst
}

func (x indexOf[T]) In(values ...string) iter.Seq[metav1.Object] {
	return objects(x.x.In(values...).Get(x.r))
}
func (x indexOf[T]) Count(value string) int { return x.x.Count(x.r, value) }
func (x indexOf[T]) Len() int               { return x.x.Len(x.r) }

func (x indexOf[T]) Keys(value string) iter.Seq[types.NamespacedName] {
	return x.x.Equal(value).Keys(x.r)
}

func (x indexOf[T]) Values() iter.Seq[string] {
	return func(yield func(string) bool) {
		for value := range x.x.Values(x.r) {
			if !yield(value) {
				return
			}
		}
	}
}

func objects[T metav1.Object](seq iter.Seq[T]) iter.Seq[metav1.Object] {
	return func(yield func(metav1.Object) bool) {
		for obj := range seq {
			if !yield(obj) {
				return
			}
		}
	}
}

// as returns obj as a T.
func as[T metav1.Object](obj metav1.Object) (T, error) {
	typed, ok := obj.(T)
	if !ok {
		return typed, fmt.Errorf("a %T is not stored with objects of type %s", obj, nameOf[T]())
	}
	return typed, nil
}
