// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package v1alpha1 is the API of a fleet: sites, and the devices that stand in
// them.
//
// +kubebuilder:object:generate=true
// +groupName=fleet.example.com
package v1alpha1

//go:generate go tool controller-gen object:headerFile=../../../../hack/header.go.txt crd paths=. output:crd:dir=../../config/crd
//go:generate go tool indexer-gen -header ../../../../hack/header.go.txt .
