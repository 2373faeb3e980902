// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package model

// Basic is the kind of a Go type.
type Basic int

const (
	// OtherBasic is a struct or an array.
	OtherBasic Basic = iota
	// StringBasic and the others are predeclared types, and types made of them.
	StringBasic
	IntBasic
	UintBasic
	BoolBasic
)
