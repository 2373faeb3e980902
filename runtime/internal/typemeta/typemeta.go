// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package typemeta clears the kind and apiVersion that an object carries in
// itself.
//
// A typed object needs neither, its Go type says both, and API servers are of
// two minds about them: the items of a list of built-in objects have none,
// those of custom resources have, and so do the objects of watch events. What
// comes from a source here never has them, so that a listed object and a
// watched one compare equal and a cache does not hold the two strings for each.
package typemeta

import "k8s.io/apimachinery/pkg/runtime/schema"

// IsSet tells whether Clear would change obj.
//
// Unstructured content is left alone, for there the two fields are all that
// says what the object is; types without a TypeMeta have nothing to clear, nor
// have objects whose type embeds a pointer to one that is nil.
func IsSet[T any](obj T) (set bool) {
	defer nilPointer()
	kind := kindOf(obj)
	return kind != nil && kind.GroupVersionKind() != schema.GroupVersionKind{}
}

// Clears tells whether Clear changes objects like obj, whatever is in them.
func Clears[T any](obj T) (clears bool) {
	defer nilPointer()
	return kindOf(obj) != nil
}

// Clear empties the kind and apiVersion of obj, under the same exceptions.
func Clear[T any](obj T) {
	defer nilPointer()
	if kind := kindOf(obj); kind != nil {
		kind.SetGroupVersionKind(schema.GroupVersionKind{})
	}
}

// nilPointer, deferred, has a method that panics on a TypeMeta that is not there
// mean nothing.
func nilPointer() { _ = recover() }

func kindOf[T any](obj T) schema.ObjectKind {
	if _, ok := any(obj).(interface{ UnstructuredContent() map[string]any }); ok {
		return nil
	}
	if typed, ok := any(obj).(interface{ GetObjectKind() schema.ObjectKind }); ok {
		return typed.GetObjectKind()
	}
	return nil
}
