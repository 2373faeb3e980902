// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package served finds the root types of a package and how an API server serves them:
// group, version, resource and scope, from the markers of kubebuilder and client-gen.
package served
