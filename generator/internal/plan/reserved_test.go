// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package plan

import (
	"go/types"
	"testing"

	"github.com/indexer-gen/indexer-gen/generator/internal/gotypes"
	"github.com/indexer-gen/indexer-gen/templates/model"
)

// TestPredeclaredParameters: no query has a parameter that shadows what Go
// predeclares. The model, which may not know go/types, has a list of its own.
func TestPredeclaredParameters(t *testing.T) {
	for _, name := range types.Universe.Names() {
		ix := &model.Index{Name: gotypes.Exported(name), Parts: []*model.Part{{}}, Kind: model.Owners}
		p := &model.Package{Types: []*model.Type{{Kind: "T", Plural: "Ts", Indexes: []*model.Index{ix}}}}
		model.AssignNames(p, nil, nil)
		if param := ix.Parts[0].Param; types.Universe.Lookup(param) != nil {
			t.Errorf("the parameter of By%s is %s", ix.Name, param)
		}
	}
}
