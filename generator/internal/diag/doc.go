// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package diag holds diagnostics: messages with positions.
//
// Stages add messages to a [Reporter], which returns them sorted and without repetitions as
// [Diagnostics]. The package also suggests the nearest candidate for a misspelled word.
package diag
