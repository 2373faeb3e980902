// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package delta

import (
	"errors"

	"github.com/indexer-gen/indexer-gen/runtime/internal/accessor"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// ErrNoName is returned by KeyOf if the object has no name.
var ErrNoName = errors.New("object has no metadata.name")

// ErrNilObject is returned by KeyOf if the object is nil.
var ErrNilObject = errors.New("object is nil")

// KeyOf returns the key of a Kubernetes object, its namespace and name. It returns an error if obj is
// nil, has no name, or has no readable metadata.
func KeyOf[T metav1.Object](obj T) (types.NamespacedName, error) {
	if accessor.IsNil(obj) {
		return types.NamespacedName{}, ErrNilObject
	}
	key, err := accessor.Key(obj)
	if err == nil && key.Name == "" {
		err = ErrNoName
	}
	return key, err
}
