// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package templates

import (
	"fmt"

	"github.com/indexer-gen/indexer-gen/templates/model"
)

// declareInformerWithConstructor declares the informer of a type.
func declareInformerWithConstructor(f *file, t *model.Type) {
	f.declare(fmt.Sprintf("%s keeps %s current with the API server and notifies handlers of changes.",
		t.Informer, withArticle(t.Lister)), fmt.Sprintf(`type %s struct {
	*«informer».Informer[%s]
	lister %s
}`, t.Informer, objectType(t), t.Lister))
	text := fmt.Sprintf("%s returns an informer that reads %s from src when it is run.", t.NewInformer, t.Plural)
	switch {
	case t.Converted:
		text += " A server cannot be the source, because nothing is decoded into " + withArticle(t.Kind) +
			"; see source.Map."
	case t.NewSource == "":
		text += fmt.Sprintf(" There is no New%sSource: no list type with Items []%s was found.", t.Kind, t.Kind)
	}
	f.declare(text, f.signatureExpr("func "+t.NewInformer, []string{
		"src " + sourceType(t), "opts ...«informer».Option",
	}, "*"+t.Informer)+fmt.Sprintf(` {
	s := «store».ForObjects[%s](«informer».StoreOptions(opts)...)
	return &%s{
		Informer: «informer».New(%s, src, s, opts...),
		lister: %s(s),
	}
}`, objectType(t), t.Informer, t.ResourceVar, t.NewLister))
	f.declare("Lister returns the live lister of the informer. It is incomplete until the informer has synced.",
		fmt.Sprintf("func (%s *%s) Lister() %s {\nreturn %[1]s.lister\n}", t.InformerRecv, t.Informer, t.Lister))
}
