// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package vet has the analyzers of indexer-gen vet. They find two bugs of programs that use informers, whatever cache
// they use:
//
//   - cachemutation: a write to an object of a cache that was not copied first;
//   - tombstone: a handler of deletions that panics on a tombstone, or ignores it.
//
// Add Analyzers to a tool of golang.org/x/tools/go/analysis, such as a plugin of golangci-lint, or call
// [golang.org/x/tools/go/analysis/unitchecker.Main] for go vet -vettool. docs/vet.md says what the analyzers find.
package vet
