// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package index turns markers into the indexes of the model: it resolves paths against Go
// types, decides which types can be keys, and reports markers that give no index.
package index
