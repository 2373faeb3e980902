// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package index

import (
	"github.com/indexer-gen/indexer-gen/generator/internal/collect"
	"github.com/indexer-gen/indexer-gen/templates/model"
)

// addOwnerIndexes adds the two indexes of +index:owner.
func (b *Builder) addOwnerIndexes(m *collect.Marker) {
	uid := model.GoType{Ident: model.Ident{Path: model.Types, Name: "UID"}}
	for _, o := range []struct {
		name, path string
		kind       model.Kind
	}{
		{"Owner", ".metadata.ownerReferences[*].uid", model.Owners},
		{"Controller", ".metadata.ownerReferences[?(@.controller==true)].uid", model.Controllers},
	} {
		b.addIndex(&model.Index{
			Name: o.name, Kind: o.kind, Value: uid,
			Parts: []*model.Part{{Path: o.path, Type: uid, Basic: model.StringBasic}},
		}, m)
	}
}
