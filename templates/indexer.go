// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package templates

import (
	"fmt"

	"github.com/indexer-gen/indexer-gen/templates/model"
)

// declareIndexer declares the indexer of a type and its constructor.
func declareIndexer(f *file, t *model.Type) {
	f.declare(fmt.Sprintf("%s is an indexed store of %s: %s that can be written to.", t.Indexer, t.Plural,
		withArticle(t.Lister)), fmt.Sprintf(`type %s struct {
	%s
	«lister».Writer[%s]
}`, t.Indexer, t.Lister, objectType(t)))
	f.declare(fmt.Sprintf("%s returns an empty %s.", t.NewIndexer, t.Indexer),
		fmt.Sprintf(`func %s(opts ...«store».Option) *%s {
	s := «store».ForObjects[%s](opts...)
	return &%[2]s{
		%[4]s: %[5]s(s),
		Writer: «lister».NewWriter(s),
	}
}`, t.NewIndexer, t.Indexer, objectType(t), t.Lister, t.NewLister))
}
