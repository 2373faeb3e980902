// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package load loads Go packages for the later stages.
//
// The input is a directory, package patterns and GOFLAGS. The output is a [Program]: the
// requested packages, parsed and type-checked, and a reporter with their errors.
//
// A package whose types cannot be known is excluded, and so are the packages that import
// it. Their markers are still read as text, so that one run reports as many errors as
// possible without follow-up errors.
package load
