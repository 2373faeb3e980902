// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package opts is an API whose package has the name of a parameter in the file
// that is emitted for it, into a package that has the name of another.
// +groupName=tenancy.example.com
// +versionName=v1
package opts

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Name is a key.
type Name string

// Tenant is a type.
type Tenant struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// +index
	Namespaces []Name `json:"namespaces"`
}

// TenantList is a list of Tenants.
type TenantList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []Tenant `json:"items"`
}
