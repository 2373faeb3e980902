// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package diag holds diagnostics: messages with positions, and suggestions for misspelled
// words.
package diag
