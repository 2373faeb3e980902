// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Command gitops-refs answers a question of every controller with references: which
// objects refer to one that has changed? Here: which Releases use this Secret?
//
//	go run ./examples/gitops-refs
//
// The answer comes from two indexes over typed composite keys, in api/v1: one
// over a reference within the object's own namespace, from each element of a
// slice, and one over a reference to any namespace, behind a pointer.
package main
