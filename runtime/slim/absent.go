// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package slim

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// The metadata that Meta lacks. Getters return zero values and setters do nothing.

// GetGenerateName implements metav1.Object.
func (*Meta) GetGenerateName() string { return "" }

// SetGenerateName implements metav1.Object.
func (*Meta) SetGenerateName(string) {}

// GetSelfLink implements metav1.Object.
func (*Meta) GetSelfLink() string { return "" }

// SetSelfLink implements metav1.Object.
func (*Meta) SetSelfLink(string) {}

// GetGeneration implements metav1.Object.
func (*Meta) GetGeneration() int64 { return 0 }

// SetGeneration implements metav1.Object.
func (*Meta) SetGeneration(int64) {}

// GetCreationTimestamp implements metav1.Object.
func (*Meta) GetCreationTimestamp() metav1.Time { return metav1.Time{} }

// SetCreationTimestamp implements metav1.Object.
func (*Meta) SetCreationTimestamp(metav1.Time) {}

// GetDeletionTimestamp implements metav1.Object.
func (*Meta) GetDeletionTimestamp() *metav1.Time { return nil }

// SetDeletionTimestamp implements metav1.Object.
func (*Meta) SetDeletionTimestamp(*metav1.Time) {}

// GetDeletionGracePeriodSeconds implements metav1.Object.
func (*Meta) GetDeletionGracePeriodSeconds() *int64 { return nil }

// SetDeletionGracePeriodSeconds implements metav1.Object.
func (*Meta) SetDeletionGracePeriodSeconds(*int64) {}

// GetLabels implements metav1.Object.
func (*Meta) GetLabels() map[string]string { return nil }

// SetLabels implements metav1.Object.
func (*Meta) SetLabels(map[string]string) {}

// GetAnnotations implements metav1.Object.
func (*Meta) GetAnnotations() map[string]string { return nil }

// SetAnnotations implements metav1.Object.
func (*Meta) SetAnnotations(map[string]string) {}

// GetFinalizers implements metav1.Object.
func (*Meta) GetFinalizers() []string { return nil }

// SetFinalizers implements metav1.Object.
func (*Meta) SetFinalizers([]string) {}

// GetOwnerReferences implements metav1.Object.
func (*Meta) GetOwnerReferences() []metav1.OwnerReference { return nil }

// SetOwnerReferences implements metav1.Object.
func (*Meta) SetOwnerReferences([]metav1.OwnerReference) {}

// GetManagedFields implements metav1.Object.
func (*Meta) GetManagedFields() []metav1.ManagedFieldsEntry { return nil }

// SetManagedFields implements metav1.Object.
func (*Meta) SetManagedFields([]metav1.ManagedFieldsEntry) {}
