// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package v1 is the API group fleet.example.com.
//
// +kubebuilder:object:generate=true
// +groupName=fleet.example.com
package v1

import (
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/scheme"
)

var (
	// GroupVersion is the group and version of the types.
	GroupVersion = schema.GroupVersion{Group: "fleet.example.com", Version: "v1"}

	// SchemeBuilder collects the types.
	SchemeBuilder = &scheme.Builder{GroupVersion: GroupVersion}

	// AddToScheme adds the types to a scheme.
	AddToScheme = SchemeBuilder.AddToScheme
)
