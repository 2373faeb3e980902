// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package gotypes answers questions about Go types.
//
// Its input is go/types types. It knows the fields that JSON sees, embedded metadata, list
// types, custom decoders, nesting depth and Go names. It does not know markers or programs.
package gotypes
