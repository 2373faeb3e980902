// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package lister

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// Owners is an index function. It appends the UIDs of all owners of obj.
func Owners[T metav1.Object](dst []types.UID, obj T) []types.UID {
	for _, ref := range obj.GetOwnerReferences() {
		dst = append(dst, ref.UID)
	}
	return dst
}

// Controller is an index function. It appends the UID of obj's controller, if obj has one.
func Controller[T metav1.Object](dst []types.UID, obj T) []types.UID {
	for _, ref := range obj.GetOwnerReferences() {
		if ref.Controller != nil && *ref.Controller {
			return append(dst, ref.UID)
		}
	}
	return dst
}
