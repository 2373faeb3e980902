// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package index

import (
	"go/token"
	"slices"
	"strings"

	"github.com/indexer-gen/indexer-gen/generator/internal/collect"
	"github.com/indexer-gen/indexer-gen/generator/internal/gotypes"
	"github.com/indexer-gen/indexer-gen/generator/internal/marker"
	"github.com/indexer-gen/indexer-gen/generator/internal/served"
	"github.com/indexer-gen/indexer-gen/templates/model"
)

// addSelectableIndexes adds an index for each selectable field that no +index marker indexes. An
// index is named for its field, or for its path if names would clash; the order of markers
// does not matter. A field that cannot be a Go key gets no index. Whether the API server
// accepts the field is left to controller-gen and the server.
func (b *Builder) addSelectableIndexes(root *served.Root) {
	r := *b.Resolver
	r.allowsMapKeyAfterDot = true
	var added []*model.Index
	at, named := map[*model.Index]token.Pos{}, map[string]int{}
	for _, ix := range b.Out.Indexes {
		named[ix.Name]++
	}
	for _, v := range root.Kube[marker.Selectable] {
		path := v.(served.SelectableOptions).JSONPath
		pos := root.Place(marker.Selectable, func(text string) bool {
			_, value, _ := strings.Cut(text, "=")
			return strings.Trim(value, "\"` ") == path
		})
		part, bad := r.resolvePart(path)
		if bad != nil {
			if bad.nonKeyPart == nil {
				b.errorf(pos, "+%s: %s", marker.Selectable, bad.message)
			}
			continue
		}
		ix := &model.Index{Name: gotypes.Exported(part.Path), Parts: []*model.Part{part}, Value: part.Type}
		if last := part.Steps[len(part.Steps)-1]; last.Op == model.Field && gotypes.IsIndexName(last.Name) {
			ix.Name = last.Name
		}
		if b.indexWithSameValues(ix, b.Out.Indexes) != nil || slices.ContainsFunc(added, func(other *model.Index) bool { return haveSameValues(ix, other) }) {
			continue
		}
		named[ix.Name]++
		added, at[ix] = append(added, ix), pos
	}
	for _, ix := range added {
		if named[ix.Name] > 1 {
			ix.Name = gotypes.Exported(ix.Parts[0].Path)
		}
		b.addIndex(ix, &collect.Marker{Name: marker.Selectable, Pos: at[ix]})
	}
}
