// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package write checks, compares and writes emitted files.
//
// The input is planned files and their Go source. [Format] formats the source and [Check]
// type-checks it in memory. [File.Compare] compares it with the existing file, and [Files]
// replaces all changed files, or none if one cannot be written.
//
// [Previous] protects hand-written files, and [Leftover] finds files to remove.
package write
