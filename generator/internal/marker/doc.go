// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package marker is the language of +index markers.
//
// [Comments] finds the markers of a file and what each stands on. [Comment.Parse] reads one:
// its definition, its options and everything that is wrong with its text. The manual is
// made from the same definitions; see [Markers].
package marker
