// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package templates

import (
	"fmt"

	"github.com/dave/jennifer/jen"

	"github.com/indexer-gen/indexer-gen/generator/model"
)

// listerDecls declares the read side of a type: the index handles, the lister
// around them, one method an index, and the snapshot.
//
//	type DeviceLister struct {
//		lister.Lister[*Device]
//		indexes *deviceIndexes
//	}
func listerDecls(f *jen.File, t *model.Type) {
	if t.IndexesType != "" {
		declare(f, fmt.Sprintf("%s are the handles of the indexes of %s.", t.IndexesType, t.Plural),
			jen.Type().Id(t.IndexesType).StructFunc(func(g *jen.Group) {
				for _, ix := range t.Indexes {
					g.Id(ix.Field).Add(handle(t, ix))
				}
			}))
	}
	declare(f, fmt.Sprintf("%s answers questions about %s, from the live store or, after Snapshot, from one moment of it. "+
		"Sequences show the store as it was when ranging began. Objects are shared: read them, do not write to them.", t.Lister, t.Plural),
		jen.Type().Id(t.Lister).StructFunc(func(g *jen.Group) {
			g.Qual(model.Lister, listerOf(t)).Types(object(t))
			if t.IndexesType != "" {
				g.Id("indexes").Op("*").Id(t.IndexesType)
			}
		}))
	for _, ix := range t.Indexes {
		queries(f, t, ix)
	}
	declare(f, fmt.Sprintf("Snapshot returns a lister of the %s as they are now, whatever is written later. It is consistent over all indexes.", t.Plural),
		jen.Func().Params(jen.Id(t.ListerRecv).Id(t.Lister)).Id("Snapshot").Params().Id(t.Lister).Block(
			jen.Return(jen.Id(t.Lister).ValuesFunc(func(g *jen.Group) {
				g.Id(listerOf(t)).Op(":").Id(t.ListerRecv).Dot(listerOf(t)).Dot("Snapshot").Call()
				if t.IndexesType != "" {
					g.Id("indexes").Op(":").Id(t.ListerRecv).Dot("indexes")
				}
			}))))
}

func listerOf(t *model.Type) string {
	if t.Namespaced {
		return "Lister"
	}
	return "ClusterLister"
}
