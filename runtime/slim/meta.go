// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package slim

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// Meta has the metadata that a cache needs. Embed it in a struct with the JSON name
// "metadata", and the struct is a metav1.Object. Its other metadata are empty, and setting
// them does nothing.
type Meta struct {
	Namespace       string    `json:"namespace,omitempty"`
	Name            string    `json:"name,omitempty"`
	UID             types.UID `json:"uid,omitempty"`
	ResourceVersion string    `json:"resourceVersion,omitempty"`
}

var _ metav1.Object = (*Meta)(nil)

// MetaOf returns the metadata of obj, for conversions from its whole type; see source.Map.
func MetaOf(obj metav1.Object) Meta {
	return Meta{obj.GetNamespace(), obj.GetName(), obj.GetUID(), obj.GetResourceVersion()}
}

// GetNamespace implements metav1.Object.
func (m *Meta) GetNamespace() string { return m.Namespace }

// SetNamespace implements metav1.Object.
func (m *Meta) SetNamespace(namespace string) { m.Namespace = namespace }

// GetName implements metav1.Object.
func (m *Meta) GetName() string { return m.Name }

// SetName implements metav1.Object.
func (m *Meta) SetName(name string) { m.Name = name }

// GetUID implements metav1.Object.
func (m *Meta) GetUID() types.UID { return m.UID }

// SetUID implements metav1.Object.
func (m *Meta) SetUID(uid types.UID) { m.UID = uid }

// GetResourceVersion implements metav1.Object.
func (m *Meta) GetResourceVersion() string { return m.ResourceVersion }

// SetResourceVersion implements metav1.Object.
func (m *Meta) SetResourceVersion(version string) { m.ResourceVersion = version }
