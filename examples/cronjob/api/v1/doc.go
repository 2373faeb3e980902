// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package v1 is the API of docs/from-controller-runtime.md: CronJobs, like those of kubebuilder's tutorial.
//
// +kubebuilder:object:generate=true
// +groupName=batch.example.com
package v1

//go:generate go tool controller-gen object:headerFile=../../../../hack/header.go.txt crd paths=. output:crd:dir=../../config/crd
//go:generate go tool indexer-gen -header ../../../../hack/header.go.txt .
