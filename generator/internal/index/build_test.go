// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package index_test

import (
	"testing"

	"github.com/indexer-gen/indexer-gen/generator/internal/collect"
	"github.com/indexer-gen/indexer-gen/generator/internal/loadtest"
	"github.com/indexer-gen/indexer-gen/generator/internal/plan"
	"github.com/indexer-gen/indexer-gen/generator/internal/target"
	"github.com/indexer-gen/indexer-gen/templates/model"
)

// build returns the indexes of a Widget, and the messages about its markers.
func build(t *testing.T, markers, spec, more string) (indexes []*model.Index, messages []string) {
	t.Helper()
	p, _ := loadtest.Program(t, loadtest.Widget(markers+"\n", spec)+more)
	cfg := target.Options{Dir: "/m", Patterns: []string{"./..."}, Targets: []model.Target{model.Native}}
	files, err := plan.Packages(p, collect.All(p, cfg), cfg)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range p.Report.List {
		messages = append(messages, d.Message)
	}
	if len(files) == 1 {
		indexes = files[0].Model.Types[0].Indexes
	}
	return indexes, messages
}
