// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package cachemutation_test

import (
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/indexer-gen/indexer-gen/generator/vet/cachemutation"
)

func TestAnalyzer(t *testing.T) {
	testdata, err := filepath.Abs("../testdata")
	if err != nil {
		t.Fatal(err)
	}
	analysistest.Run(diagnostics{t}, testdata, cachemutation.Analyzer, // in one call, which loads what they import once
		"listers", "writes", "copies", "calls", "closures", "handlers", "runtimeclient", "silenced")
}

// A fix is suggested only for a variable that a call in the same block defines, before its first use.
func TestFixes(t *testing.T) {
	testdata, err := filepath.Abs("../testdata")
	if err != nil {
		t.Fatal(err)
	}
	analysistest.RunWithSuggestedFixes(diagnostics{t}, testdata, cachemutation.Analyzer, "fixes")
}

// diagnostics is a test of what is reported alone. Each function with a fact would need a comment otherwise.
type diagnostics struct{ *testing.T }

func (t diagnostics) Errorf(format string, args ...any) {
	if !strings.Contains(format, "unexpected %s") || args[1] != "fact" {
		t.T.Errorf(format, args...)
	}
}
