// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package vet_test

import (
	"fmt"

	"github.com/indexer-gen/indexer-gen/generator/vet"
)

// A tool of one's own, for go vet -vettool, calls unitchecker.Main(vet.Analyzers()...).
func Example() {
	for _, analyzer := range vet.Analyzers() {
		fmt.Println(analyzer.Name)
	}
	// Output:
	// cachemutation
	// tombstone
}
