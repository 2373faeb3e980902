// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package typemeta clears the kind and apiVersion that an object carries in itself.
//
// The Go type of a typed object says both. API servers set them in some answers only: in the
// items of lists of custom resources and in watch events, but not in the items of lists of
// built-in types. Sources clear them, so that listed and watched objects compare equal and a
// cache does not hold the two strings for each object.
package typemeta

import "k8s.io/apimachinery/pkg/runtime/schema"

// IsSet reports whether Clear would change obj.
func IsSet[T any](obj T) (set bool) {
	defer ignoreNil()
	kind := kindOf(obj)
	return kind != nil && kind.GroupVersionKind() != schema.GroupVersionKind{}
}

// Clears reports whether Clear changes objects of obj's type that have a kind.
func Clears[T any](obj T) (clears bool) {
	defer ignoreNil()
	return kindOf(obj) != nil
}

// Clear empties the kind and apiVersion of obj. It leaves unstructured objects alone, whose
// type is not known otherwise, and objects without a TypeMeta or with a nil pointer to one.
func Clear[T any](obj T) {
	defer ignoreNil()
	if kind := kindOf(obj); kind != nil {
		kind.SetGroupVersionKind(schema.GroupVersionKind{})
	}
}

// ignoreNil, deferred, recovers from a method of a nil TypeMeta.
func ignoreNil() { _ = recover() }

func kindOf[T any](obj T) schema.ObjectKind {
	if _, ok := any(obj).(interface{ UnstructuredContent() map[string]any }); ok {
		return nil
	}
	if typed, ok := any(obj).(interface{ GetObjectKind() schema.ObjectKind }); ok {
		return typed.GetObjectKind()
	}
	return nil
}
