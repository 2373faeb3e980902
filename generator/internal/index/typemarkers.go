// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package index

import (
	"cmp"
	"strconv"

	"github.com/indexer-gen/indexer-gen/generator/internal/collect"
	"github.com/indexer-gen/indexer-gen/templates/model"
)

// addTypeMarker adds the index of +index:name=N,path=P or paths={P,Q}.
func (b *Builder) addTypeMarker(m *collect.Marker) {
	ix := &model.Index{Name: m.Options.Text("name")}
	if len(m.Options.Paths()) == 0 && len(m.Refused) == 0 {
		literal := strconv.Quote(cmp.Or(m.Options.Quoted("value"), "true"))
		text := model.GoType{Ident: model.Ident{Name: "string"}}
		ix.Kind, ix.Value = model.States, text
		ix.Parts = []*model.Part{{Path: literal, Literal: literal, Type: text, Basic: model.StringBasic}}
	}
	seen := map[string]bool{}
	ok := true
	r := b.Resolver.withHintFilter(func(_ string, part *model.Part) bool {
		return !m.Options.Flag("ordered") || b.Resolver.orderError(part) == ""
	})
	for _, path := range m.Options.Paths() {
		if m.Reported(path) {
			ok = false
			continue
		}
		part, bad := r.resolvePart(path.Text)
		switch {
		case bad != nil:
			ok = false
			b.reportPathError(m.At(path.Offset+bad.offset), bad)
		case seen[part.Prefix(len(part.Steps)-1)]:
			ok = false
			b.errorf(m.At(path.Offset), "path %s is written twice", path.Text)
		default:
			seen[part.Prefix(len(part.Steps)-1)] = true
			ix.Parts = append(ix.Parts, part)
			ix.Value = part.Type
		}
	}
	if ok && len(m.Refused) == 0 {
		b.setOptions(ix, m)
		b.addIndex(ix, m)
	}
}
