// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package delta names the changes that pass from a source to a store. A [Delta] is one change of one
// object, or one object of a list. A [Batch] holds deltas that are processed at once.
//
// The package imports no store and no queue, so that neither needs the other.
package delta
