// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package accessor reads the metadata of objects that may have none.
//
// The methods of a metav1.Object return no errors, but those of a type that embeds a pointer to
// metav1.ObjectMeta panic if the pointer is nil, as in an object without metadata. Sources check each
// object here, so that later code can call the methods.
package accessor

import (
	"fmt"
	"reflect"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// Key returns the namespace and name of obj, which must not be nil, or an error if its metadata cannot be
// read.
func Key[T metav1.Object](obj T) (key types.NamespacedName, err error) {
	defer recoverInto(&err, obj)
	_, _ = obj.GetUID(), obj.GetResourceVersion()
	return types.NamespacedName{Namespace: obj.GetNamespace(), Name: obj.GetName()}, nil
}

// recoverInto turns a panic into an error when it is deferred. It allocates only if there was a panic.
func recoverInto[T metav1.Object](err *error, obj T) {
	if p := recover(); p != nil {
		*err = fmt.Errorf("the metadata of a %T cannot be read (%v): an object that comes without metadata has a nil pointer where its type embeds one; embed metav1.ObjectMeta, not a pointer to it", obj, p)
	}
}

// IsNil reports whether obj is nil or a nil pointer.
func IsNil[T metav1.Object](obj T) bool {
	v := reflect.ValueOf(obj)
	return !v.IsValid() || v.Kind() == reflect.Pointer && v.IsNil()
}
