// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package learn learns what an index function does by running it.
package learn
