// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package templates

import (
	"fmt"

	"github.com/dave/jennifer/jen"

	"github.com/indexer-gen/indexer-gen/templates/model"
)

// listerDecls declares the read side of a type: the struct of index handles, the lister, its
// constructor and queries, and the methods Index and Snapshot.
//
//	type DeviceLister struct {
//		lister.Lister[*Device]
//		indexes *DeviceIndexes
//	}
func listerDecls(f *jen.File, t *model.Type) {
	if t.IndexesType != "" {
		declare(f, fmt.Sprintf(
			"%s holds the index handles of %s. Use them to combine queries, count, list values and watch; "+
				"see store.Query.", t.IndexesType, t.Plural),
			jen.Type().Id(t.IndexesType).StructFunc(func(g *jen.Group) {
				for _, ix := range t.Indexes {
					g.Id(ix.Method).Add(handle(t, ix))
				}
			}))
	}
	declare(f, fmt.Sprintf("%s reads %s from the cache. The objects are shared: do not modify them.",
		t.Lister, t.Plural),
		jen.Type().Id(t.Lister).StructFunc(func(g *jen.Group) {
			g.Qual(model.Lister, listerOf(t)).Types(object(t))
			if t.IndexesType != "" {
				g.Id("indexes").Op("*").Id(t.IndexesType)
			}
		}))
	newLister(f, t)
	for _, ix := range t.Indexes {
		queries(f, t, ix)
	}
	if t.IndexesType != "" {
		declare(f,
			"Index returns the index handles. Their methods take the Reader of this lister or of a snapshot.",
			jen.Func().Params(jen.Id(t.ListerRecv).Id(t.Lister)).Id("Index").Params().Id(t.IndexesType).Block(
				jen.Return(jen.Op("*").Id(t.ListerRecv).Dot("indexes"))))
	}
	declare(f, fmt.Sprintf(
		"Snapshot returns a lister of the %s as they are now, consistent over all indexes.", t.Plural),
		jen.Func().Params(jen.Id(t.ListerRecv).Id(t.Lister)).Id("Snapshot").Params().Id(t.Lister).Block(
			jen.Return(jen.Id(t.Lister).ValuesFunc(func(g *jen.Group) {
				g.Id(listerOf(t)).Op(":").Id(t.ListerRecv).Dot(listerOf(t)).Dot("Snapshot").Call()
				if t.IndexesType != "" {
					g.Id("indexes").Op(":").Id(t.ListerRecv).Dot("indexes")
				}
			}))))
}

// newLister declares the constructor of the lister of a type.
func newLister(f *jen.File, t *model.Type) {
	text := fmt.Sprintf("%s returns a lister of s, a store of %s that something else keeps current.",
		t.NewLister, t.Plural)
	constructor := "New"
	if !t.Namespaced {
		constructor = "NewClusterScoped"
	}
	inner := []jen.Code{
		jen.Id(listerOf(t)), jen.Qual(model.Lister, constructor).Call(
			jen.Id("s"), jen.Id(t.ResourceVar).Dot("GroupResource").Call()),
	}
	if t.IndexesType != "" {
		text += " It adds the indexes to s: call it once, and share the lister."
		var handles []jen.Code
		for _, ix := range t.Indexes {
			handles = append(handles, jen.Id(ix.Method), addIndex(t, ix))
		}
		inner = append(inner, jen.Id("indexes"), jen.Op("&").Id(t.IndexesType).ValuesFunc(fields(handles...)))
	}
	declare(f, text,
		jen.Func().Id(t.NewLister).Params(
			jen.Id("s").Op("*").Qual(model.Lister, "Store").Types(object(t)),
		).Id(t.Lister).Block(
			jen.Return(jen.Id(t.Lister).ValuesFunc(fields(inner...))),
		))
}

func listerOf(t *model.Type) string {
	if t.Namespaced {
		return "Lister"
	}
	return "ClusterScopedLister"
}
