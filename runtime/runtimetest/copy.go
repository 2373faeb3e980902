// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package runtimetest

import (
	"reflect"

	"k8s.io/apimachinery/pkg/runtime"
)

// copyOf returns a deep copy of obj.
func copyOf[T any](obj T) T {
	if deep, ok := any(obj).(runtime.Object); ok {
		if c, ok := deep.DeepCopyObject().(T); ok {
			return c
		}
	}
	v := reflect.ValueOf(obj)
	if v.Kind() != reflect.Pointer || v.IsNil() {
		return obj
	}
	c := reflect.New(v.Type().Elem())
	c.Elem().Set(v.Elem())
	return c.Interface().(T)
}
