// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package cachemutation_test

import (
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/indexer-gen/indexer-gen/generator/vet/cachemutation"
)

func TestAnalyzer(t *testing.T) {
	for _, rule := range []string{
		"listers", "writes", "copies", "calls", "closures", "handlers", "runtimeclient", "silenced",
	} {
		t.Run(rule, func(t *testing.T) {
			analysistest.Run(t, analysistest.TestData(), cachemutation.Analyzer, rule)
		})
	}
}
