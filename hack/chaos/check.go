// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"iter"

	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/indexer-gen/indexer-gen/runtime/store"
)

// version tells states of objects apart, unless etcd was restored in between.
type version struct {
	uid             types.UID
	resourceVersion string
}

func versionOf(obj metav1.Object) version {
	return version{obj.GetUID(), obj.GetResourceVersion()}
}

func describe(obj metav1.Object) string {
	return fmt.Sprintf("%s/%s (UID %.8s, version %s)",
		obj.GetNamespace(), obj.GetName(), obj.GetUID(), obj.GetResourceVersion())
}

// same reports whether two states of an object are equal in content.
func same[T metav1.Object](a, b T) bool {
	return any(a) == any(b) || equality.Semantic.DeepEqual(a, b)
}

// matches reports whether n objects are those that are wanted. Equal versions do
// not suffice: a server that was restored gives versions out again.
func matches[T metav1.Object](n int, objects iter.Seq[T], want map[types.NamespacedName]T) bool {
	if n != len(want) {
		return false
	}
	for obj := range objects {
		w, ok := want[store.KeyOf(obj)]
		if !ok || versionOf(w) != versionOf(obj) || !same(obj, w) {
			return false
		}
	}
	return true
}

// compare returns how got differs from want.
func compare[T metav1.Object](where string, got, want map[types.NamespacedName]T) (found []string) {
	for key, w := range want {
		if g, ok := got[key]; !ok {
			found = append(found, fmt.Sprintf("%s lacks %s", where, describe(w)))
		} else if !same(g, w) {
			found = append(found,
				fmt.Sprintf("%s has %s, want %s: %s", where, describe(g), describe(w), contents(g, w)))
		}
	}
	for key, g := range got {
		if _, ok := want[key]; !ok {
			found = append(found, fmt.Sprintf("%s has %s, which does not exist", where, describe(g)))
		}
	}
	return found
}

// contents returns two contents if the versions do not tell them apart.
func contents[T metav1.Object](got, want T) string {
	if versionOf(got) != versionOf(want) {
		return "another version"
	}
	return fmt.Sprintf("got %+v, want %+v", got, want)
}

// reader reads the objects of a store.
type reader[T metav1.Object] = store.Reader[types.NamespacedName, T]

// indexCheck returns how an index differs from what it should be over objects.
type indexCheck[T metav1.Object] func(r reader[T], objects map[types.NamespacedName]T) []string

// checkIndex returns the check of an index whose function is values.
func checkIndex[T metav1.Object, V comparable](
	index store.Index[types.NamespacedName, T, V], values func(dst []V, obj T) []V,
) indexCheck[T] {
	return func(r reader[T], objects map[types.NamespacedName]T) (found []string) {
		want := make(map[V]map[types.NamespacedName]T)
		for key, obj := range objects {
			for _, v := range values(nil, obj) {
				if want[v] == nil {
					want[v] = make(map[types.NamespacedName]T)
				}
				want[v][key] = obj
			}
		}
		for v, n := range index.Values(r) {
			if n != len(want[v]) {
				found = append(
					found,
					fmt.Sprintf(
						"index %s counts %d objects at %v, want %d",
						index.Name(),
						n,
						v,
						len(want[v]),
					),
				)
			}
		}
		for v := range want {
			where := fmt.Sprintf("index %s at %v", index.Name(), v)
			found = append(found, compare(where, byKey(index.Get(r, v)), want[v])...)
		}
		return found
	}
}

func byKey[T metav1.Object](objects iter.Seq[T]) map[types.NamespacedName]T {
	out := make(map[types.NamespacedName]T)
	for obj := range objects {
		out[store.KeyOf(obj)] = obj
	}
	return out
}
