// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package templates

import (
	"fmt"

	"github.com/indexer-gen/indexer-gen/templates/model"
)

// indexerDecls declares the indexer of a type and its constructor.
func indexerDecls(f *file, t *model.Type) {
	f.declare(fmt.Sprintf("%s is an indexed store of %s: %s that can be written to.", t.Indexer, t.Plural,
		article(t.Lister)), fmt.Sprintf(`type %s struct {
	%s
	«lister».Writer[%s]
}`, t.Indexer, t.Lister, object(t)))
	f.declare(fmt.Sprintf("%s returns an empty %s.", t.NewIndexer, t.Indexer),
		fmt.Sprintf(`func %s(opts ...«store».Option) *%s {
	s := «store».ForObjects[%s](opts...)
	return &%[2]s{
		%[4]s: %[5]s(s),
		Writer: «lister».NewWriter(s),
	}
}`, t.NewIndexer, t.Indexer, object(t), t.Lister, t.NewLister))
}
