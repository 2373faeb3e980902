// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package source

import (
	"errors"

	"github.com/indexer-gen/indexer-gen/runtime/delta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// Delta is a delta of a source, whose keys are namespaces and names.
type Delta[T any] = delta.Delta[types.NamespacedName, T]

// DeltaOf returns the delta of obj with its key. If that cannot be read, it returns a NoKey, and why.
func DeltaOf[T metav1.Object](t delta.Type, obj T) (Delta[T], error) {
	key, err := delta.KeyOf(obj)
	switch {
	case err == nil, errors.Is(err, delta.ErrNoName): // the reader decides whether it needs a name
		return delta.New(t, key, obj), nil
	case errors.Is(err, delta.ErrNilObject):
		err = errors.New("the source returned neither an object nor an error")
	}
	return delta.Bare[types.NamespacedName, T](delta.NoKey), err
}

// Unusable returns the delta of an object that cannot be used: a Deleted if t is Deleted, and a Stale otherwise.
func Unusable[T any](t delta.Type, key types.NamespacedName) Delta[T] {
	if t != delta.Deleted {
		t = delta.Stale
	}
	return delta.WithKey[types.NamespacedName, T](t, key)
}
