// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package v1 is the API of a small controller.
//
// +groupName=example.com
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// GroupVersion is the group and version of the types in this package.
var GroupVersion = schema.GroupVersion{Group: "example.com", Version: "v1"}

// WidgetSpec says where a Widget runs.
type WidgetSpec struct {
	// +index
	Node string `json:"node"`
	// +index:name=SecretName,unique=true
	Secret *string `json:"secret,omitempty"`
	// +index:ordered=true
	Due metav1.Time `json:"due,omitempty"`
}

// +index:labels
// +index:owner
// +index:name=NodeAndTier,paths={.spec.node,.metadata.labels['tier']}
// +index:ref:name=Secret,path=.spec.secret
// +kubebuilder:object:root=true
type Widget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec WidgetSpec `json:"spec,omitempty"`
}

// +kubebuilder:object:root=true
type WidgetList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []Widget `json:"items"`
}

// NameLength returns the length of the name.
//
// +index:func:name=NameLength
func NameLength(w *Widget) int { return len(w.Name) }

// DeepCopyObject implements runtime.Object.
func (w *Widget) DeepCopyObject() runtime.Object {
	out := *w
	out.ObjectMeta = *w.ObjectMeta.DeepCopy()
	if w.Spec.Secret != nil {
		secret := *w.Spec.Secret
		out.Spec.Secret = &secret
	}
	out.Spec.Due = *w.Spec.Due.DeepCopy()
	return &out
}

// DeepCopyObject implements runtime.Object.
func (l *WidgetList) DeepCopyObject() runtime.Object {
	out := &WidgetList{TypeMeta: l.TypeMeta, ListMeta: *l.ListMeta.DeepCopy()}
	for i := range l.Items {
		out.Items = append(out.Items, *l.Items[i].DeepCopyObject().(*Widget))
	}
	return out
}
