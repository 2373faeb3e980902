// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Command docs writes the tables of docs/ that describe code: markers and flags.
// hack/update-codegen.sh runs it, and hack/verify-codegen.sh fails if a table is stale.
//
// A page has a table between two comment lines:
//
//	<!-- begin markers -->
//	<!-- end markers -->
//
// # Tests
//
// The tests of this package check README.md, CONTRIBUTING.md and all pages of docs/: Go
// code compiles, the generator accepts the markers, shell commands of the installation work
// in a project that has only the modules that the release command tags, and links lead somewhere.
//
// A Go block of statements is compiled as the body of a function that has the variables of
// scope (go_test.go) as parameters, and imports packages by the names in imports. A block that
// follows the comment line
//
//	<!-- from examples/file.go -->
//
// is not compiled; that file must contain it.
package main

//go:generate go run .
