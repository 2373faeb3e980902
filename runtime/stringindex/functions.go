// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package stringindex

import (
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Func returns a typed index function as a client-go cache.IndexFunc. It returns an error for an object
// that is not a T.
func Func[T any, V comparable](values func(dst []V, obj T) []V) func(obj any) ([]string, error) {
	return func(obj any) ([]string, error) {
		typed, ok := obj.(T)
		if !ok {
			return nil, fmt.Errorf("cannot index a %T: the index is of %T", obj, *new(T))
		}
		return encodeAll(values(nil, typed)), nil
	}
}

// FieldFunc returns a typed index function as a controller-runtime client.IndexerFunc, with
// client.Object as O. An object that is not a T has no values.
func FieldFunc[O, T any, V comparable](values func(dst []V, obj T) []V) func(obj O) []string {
	return func(obj O) []string {
		typed, ok := any(obj).(T)
		if !ok {
			return nil
		}
		return encodeAll(values(nil, typed))
	}
}

func encodeAll[V comparable](values []V) []string {
	out := make([]string, len(values))
	for i, value := range values {
		out[i] = Encode(value)
	}
	return out
}

// Label is a label as an index value.
type Label struct{ Key, Value string }

// Labels is an index function. It appends the labels of obj.
func Labels[T metav1.Object](dst []Label, obj T) []Label {
	for key, value := range obj.GetLabels() {
		dst = append(dst, Label{key, value})
	}
	return dst
}
