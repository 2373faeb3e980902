// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package load reads packages: it expands patterns, parses and type-checks what they match,
// and puts packages aside whose types cannot be known.
package load
