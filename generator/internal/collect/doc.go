// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package collect gathers the markers of a program, each attached to a type, a field or a
// function. It reports markers that do not count.
package collect
