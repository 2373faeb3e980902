// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package samplecontroller has Kubernetes' sample-controller read from indexer-gen's caches. Its clientset,
// informer factories and listers are those of k8s.io/sample-controller, unchanged. docs/from-client-go.md
// explains the steps.
package samplecontroller

//go:generate go run github.com/indexer-gen/indexer-gen/cmd/indexer-gen
