// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package model

// Basic is the kind of a Go type.
type Basic int

// The kinds: a predeclared type, or a type made of one.
const (
	// OtherBasic is a struct or an array.
	OtherBasic Basic = iota
	StringBasic
	IntBasic
	UintBasic
	BoolBasic
)
