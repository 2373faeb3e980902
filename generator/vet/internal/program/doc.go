// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package program gives analyzers the source of a package in SSA form, built when the first of them asks for it. It
// finds the functions that informers and controllers call with objects of their caches, and the comments that silence
// an analyzer.
package program
