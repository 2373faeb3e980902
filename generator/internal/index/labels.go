// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package index

import (
	"github.com/indexer-gen/indexer-gen/generator/internal/collect"
	"github.com/indexer-gen/indexer-gen/templates/model"
)

// addLabelsIndex adds the index of +index:labels.
func (b *Builder) addLabelsIndex(m *collect.Marker) {
	text := model.Part{
		Path: ".metadata.labels", Type: model.GoType{Ident: model.Ident{Name: "string"}}, Basic: model.StringBasic,
	}
	key, value := text, text
	b.addIndex(&model.Index{
		Name: "Label", Kind: model.Labels,
		Parts: []*model.Part{&key, &value},
	}, m)
}
