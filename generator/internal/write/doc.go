// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package write formats emitted files, type-checks them in memory, compares them with what
// is there, and writes them.
package write
