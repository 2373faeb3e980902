// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package accessor reads the metadata of objects that may not have any.
//
// The methods of a metav1.Object return no errors, but those of a type that embeds
// a pointer to metav1.ObjectMeta panic for an object in which that is nil, as it is
// in one that came without metadata. Sources ask here before they hand an object
// on, so that what comes after them may call the methods as they are.
package accessor

import (
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// Check returns an error if the metadata of obj cannot be read. obj is not nil.
func Check[T metav1.Object](obj T) (err error) {
	defer recoverInto(&err, obj)
	_, _, _, _ = obj.GetName(), obj.GetNamespace(), obj.GetUID(), obj.GetResourceVersion()
	return nil
}

// Key returns the namespace and name of obj, which is not nil.
func Key[T metav1.Object](obj T) (key types.NamespacedName, err error) {
	defer recoverInto(&err, obj)
	return types.NamespacedName{Namespace: obj.GetNamespace(), Name: obj.GetName()}, nil
}

// recoverInto, deferred, turns a panic into an error. It takes obj as it is, so that
// nothing is allocated as long as all is well.
func recoverInto[T metav1.Object](err *error, obj T) {
	if p := recover(); p != nil {
		*err = fmt.Errorf("the metadata of a %T cannot be read (%v): an object that comes without metadata has a nil pointer where its type embeds one; embed metav1.ObjectMeta, not a pointer to it", obj, p)
	}
}
