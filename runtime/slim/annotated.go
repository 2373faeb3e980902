// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package slim

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Annotated is a Labeled with annotations.
type Annotated struct {
	Labeled     `json:",inline"`
	Annotations map[string]string `json:"annotations,omitempty"`
}

var _ metav1.Object = (*Annotated)(nil)

// GetAnnotations implements metav1.Object.
func (a *Annotated) GetAnnotations() map[string]string { return a.Annotations }

// SetAnnotations implements metav1.Object.
func (a *Annotated) SetAnnotations(annotations map[string]string) { a.Annotations = annotations }
