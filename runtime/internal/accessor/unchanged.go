// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package accessor

import (
	"reflect"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Unchanged reports whether old and new are the same state of an object. Equal versions do not prove
// it: a restored server uses versions again, and a caller may have modified a cached object. Objects
// without a version are never unchanged.
func Unchanged[T metav1.Object](old, new T) bool {
	rv := new.GetResourceVersion()
	return rv != "" && rv == old.GetResourceVersion() && old.GetUID() == new.GetUID() &&
		(same(old, new) || reflect.DeepEqual(old, new))
}

// same reports whether old and new are the same pointer. Values may not be comparable.
func same[T any](old, new T) bool {
	return reflect.TypeFor[T]().Kind() == reflect.Pointer && any(old) == any(new)
}
