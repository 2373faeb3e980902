// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package vet

import (
	"flag"

	"golang.org/x/tools/go/analysis"

	"github.com/indexer-gen/indexer-gen/generator/vet/cachemutation"
	"github.com/indexer-gen/indexer-gen/generator/vet/internal/program"
	"github.com/indexer-gen/indexer-gen/generator/vet/tombstone"
)

// Analyzers returns the analyzers.
func Analyzers() []*analysis.Analyzer {
	return []*analysis.Analyzer{cachemutation.Analyzer, tombstone.Analyzer}
}

// Flags adds the flags that all analyzers share to a set.
func Flags(set *flag.FlagSet) {
	set.BoolVar(&program.Tests, "tests", false, "read the files of tests, too")
}
