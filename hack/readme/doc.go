// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package readme has no code: its tests compile what the README shows, and run
// what it tells to type, as somebody who has only the modules' published files.
package readme
