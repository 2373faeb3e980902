// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package readthrough

import (
	"maps"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/indexer-gen/indexer-gen/runtime/slim"
	"github.com/indexer-gen/indexer-gen/runtime/wire"
)

// Metadata is what a watch keeps of an object. Read it with the option [Keep].
type Metadata struct {
	ObjectMeta `json:"metadata"`
}

var _ metav1.Object = (*Metadata)(nil)

// ObjectMeta is the metadata of a Metadata. Its other metadata are empty, and setting them does nothing.
type ObjectMeta struct {
	slim.Annotated    `json:",inline"`
	Generation        int64                   `json:"generation,omitempty"`
	Finalizers        []string                `json:"finalizers,omitempty"`
	DeletionTimestamp *metav1.Time            `json:"deletionTimestamp,omitempty"`
	OwnerReferences   []metav1.OwnerReference `json:"ownerReferences,omitempty"`
}

// GetGeneration implements metav1.Object.
func (m *ObjectMeta) GetGeneration() int64 { return m.Generation }

// GetFinalizers implements metav1.Object.
func (m *ObjectMeta) GetFinalizers() []string { return m.Finalizers }

// GetDeletionTimestamp implements metav1.Object.
func (m *ObjectMeta) GetDeletionTimestamp() *metav1.Time { return m.DeletionTimestamp }

// GetOwnerReferences implements metav1.Object.
func (m *ObjectMeta) GetOwnerReferences() []metav1.OwnerReference { return m.OwnerReferences }

// GetObjectKind implements runtime.Object. The kind is not kept.
func (m *Metadata) GetObjectKind() schema.ObjectKind { return schema.EmptyObjectKind }

// DeepCopyObject implements runtime.Object.
func (m *Metadata) DeepCopyObject() runtime.Object {
	c := *m
	c.Labels, c.Annotations = maps.Clone(m.Labels), maps.Clone(m.Annotations)
	c.Finalizers = slices.Clone(m.Finalizers)
	c.DeletionTimestamp = m.DeletionTimestamp.DeepCopy()
	c.OwnerReferences = slices.Clone(m.OwnerReferences)
	for i := range c.OwnerReferences {
		c.OwnerReferences[i] = *m.OwnerReferences[i].DeepCopy()
	}
	return &c
}

// Field is a part of the metadata that is kept on request.
type Field int

// The fields that [Keep] keeps on request.
const (
	Labels Field = iota + 1
	Annotations
)

// Keep is an option for a source of [Metadata]. It keeps labels and annotations only if fields name them.
// The annotation kubectl.kubernetes.io/last-applied-configuration is never kept, because it has the data of
// Secrets that were applied.
func Keep(fields ...Field) wire.Option {
	skipped := []string{".metadata.annotations['kubectl.kubernetes.io/last-applied-configuration']"}
	if !slices.Contains(fields, Labels) {
		skipped = append(skipped, ".metadata.labels")
	}
	if !slices.Contains(fields, Annotations) {
		skipped = append(skipped, ".metadata.annotations")
	}
	return wire.Skip(skipped...)
}
