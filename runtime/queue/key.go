// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package queue

import (
	"errors"
	"fmt"
	"reflect"

	"github.com/indexer-gen/indexer-gen/runtime/internal/accessor"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// keyError is returned by a write if obj has no key. Nothing was queued.
func keyError(obj any, err error) error {
	return fmt.Errorf("queue: no key for an object of type %T: %w", obj, err)
}

// ErrNoName is returned by ObjectKey if the object has no name.
var ErrNoName = errors.New("object has no metadata.name; set one before it is queued")

// ErrNilObject is returned by ObjectKey if the object is nil.
var ErrNilObject = errors.New("object is nil")

// ObjectKey is the key function of Kubernetes objects. It returns namespace and name, or an
// error if obj is nil, has no name, or has no readable metadata.
func ObjectKey[T metav1.Object](obj T) (types.NamespacedName, error) {
	if v := reflect.ValueOf(obj); !v.IsValid() || v.Kind() == reflect.Pointer && v.IsNil() {
		return types.NamespacedName{}, ErrNilObject
	}
	key, err := accessor.Key(obj)
	if err != nil {
		return types.NamespacedName{}, err
	}
	if key.Name == "" {
		return key, ErrNoName
	}
	return key, nil
}
