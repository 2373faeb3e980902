// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package marker defines the language of +index markers and parses it.
//
// The input is the syntax of a file; no types are needed. [Comments] returns the markers
// of the file and the declaration that each one marks. [Comment.Parse] returns the
// definition and options of one marker, and every error in its text.
//
// Parsing, suggestions, -help and the manual all derive from one table of definitions.
// [Markers] returns that table.
package marker
