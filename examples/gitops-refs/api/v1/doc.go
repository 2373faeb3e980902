// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package v1 is the API of releases: charts to run, and the Secrets with their values.
//
// +kubebuilder:object:generate=true
// +groupName=gitops.example.com
package v1

//go:generate go tool controller-gen object:headerFile=../../../../hack/header.go.txt crd paths=. output:crd:dir=../../config/crd
//go:generate go tool indexer-gen -header ../../../../hack/header.go.txt .
