// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package collect collects the markers of a program.
//
// The input is a loaded program. The output is [Collected]: the parsed markers, each attached
// to a type, a field or a function. It covers requested packages and those that they import
// from the same modules. Markers that are invalid or misplaced are reported, and so are
// markers in test files and in files excluded by build constraints.
package collect
