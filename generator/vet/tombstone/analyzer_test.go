// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package tombstone_test

import (
	"path/filepath"
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/indexer-gen/indexer-gen/generator/vet/tombstone"
)

func TestAnalyzer(t *testing.T) {
	testdata, err := filepath.Abs("../testdata")
	if err != nil {
		t.Fatal(err)
	}
	analysistest.Run(t, testdata, tombstone.Analyzer, "tombstones", "typeddeletes")
}
