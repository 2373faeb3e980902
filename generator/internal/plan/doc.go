// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package plan makes one model for each package, with names that do not clash and the build
// constraint that its types need.
package plan
