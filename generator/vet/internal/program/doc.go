// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package program gives analyzers the source of a package in SSA form, built when the first of them asks
// for it, and has the comments that silence them.
package program
