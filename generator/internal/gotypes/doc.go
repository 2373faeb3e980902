// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package gotypes answers questions about Go types: which fields JSON sees, what a struct
// embeds, which list type belongs to a type, and which words are Go names. It knows no
// markers and no program.
package gotypes
