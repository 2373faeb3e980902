// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package slim

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Labeled is a Meta with labels. Cached objects with equal labels share one map.
type Labeled struct {
	Meta   `json:",inline"`
	Labels map[string]string `json:"labels,omitempty"`
}

var _ metav1.Object = (*Labeled)(nil)

// GetLabels implements metav1.Object.
func (l *Labeled) GetLabels() map[string]string { return l.Labels }

// SetLabels implements metav1.Object.
func (l *Labeled) SetLabels(labels map[string]string) { l.Labels = labels }
