// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package source

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// Map returns a source of the objects of src, converted to T. T needs only the accessors of a
// metav1.Object. For example, a test feeds a slim type from a fake client of the whole type.
//
// convert may return ErrDrop, or nil, to leave the object out, and ErrKeep to ignore this state. Any
// other error, and a panic, count as an object that cannot be decoded. The result must have the
// namespace and name of its argument, and should have its UID and resourceVersion. convert must be pure
// and safe for concurrent use. It must not modify its argument, which may share parts with other
// objects, unless src is from [Own]. The result may share these parts, too.
//
// The final state of a deleted object is converted, too. If convert does not return an object, the
// deletion has none. A watch has no memory, so the receiver may get the deletion of a dropped object
// that it never saw.
//
// Map passes reuse on: an unchanged result is not in memory twice. Wrap Map around shard.Source, not the
// reverse, if T has no UID.
func Map[U, T metav1.Object](src Source[U], convert func(U) (T, error)) Source[T] {
	object := func(_ types.NamespacedName, obj U) (T, error) { return convert(obj) }
	return Convert(src, Conversion[U, T]{Object: object, Held: heldIfSameType[U, T]})
}

// heldIfSameType returns held if T is U. Otherwise the source only shares parts, and the reflector compares the
// results.
func heldIfSameType[U, T any](held func(types.NamespacedName) (T, bool)) func(types.NamespacedName) (U, bool) {
	if same, ok := any(held).(func(types.NamespacedName) (U, bool)); ok {
		return same
	}
	return func(types.NamespacedName) (none U, ok bool) { return none, false }
}
