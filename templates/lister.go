// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package templates

import (
	"fmt"

	"github.com/dave/jennifer/jen"

	"github.com/indexer-gen/indexer-gen/templates/model"
)

// listerDecls declares the read side of a type: the struct of index handles, the lister, its queries and
// constructor, and the methods Handles and Snapshot.
//
//	type DeviceLister struct {
//		lister.Lister[*Device]
//		indexes *DeviceIndexHandles
//	}
func listerDecls(f *jen.File, p *model.Package, t *model.Type) {
	if t.Handles != "" {
		declare(f, fmt.Sprintf(
			"%s holds the index handles of %s. Use them to combine queries, count, list values and watch; "+
				"see store.Query.", t.Handles, t.Plural),
			jen.Type().Id(t.Handles).StructFunc(func(g *jen.Group) {
				for _, ix := range t.Indexes {
					g.Id(ix.Method).Add(handle(t, ix))
				}
			}))
	}
	declare(f, fmt.Sprintf("%s reads %s from the cache. The objects are shared: do not modify them.",
		t.Lister, t.Plural),
		jen.Type().Id(t.Lister).StructFunc(func(g *jen.Group) {
			g.Qual(model.Lister, listerOf(t)).Types(object(t))
			if t.Handles != "" {
				g.Id("indexes").Op("*").Id(t.Handles)
			}
		}))
	newLister(f, t)
	for _, ix := range t.Indexes {
		queries(f, p, t, ix)
	}
	if t.Handles != "" {
		declare(f,
			"Handles returns the index handles. Their methods take the Reader of this lister or of a snapshot.",
			jen.Func().Params(jen.Id(t.ListerRecv).Id(t.Lister)).Id("Handles").Params().Id(t.Handles).Block(
				jen.Return(jen.Op("*").Id(t.ListerRecv).Dot("indexes"))))
	}
	declare(f, fmt.Sprintf(
		"Snapshot returns a lister of the %s as they are now, consistent over all indexes.", t.Plural),
		jen.Func().Params(jen.Id(t.ListerRecv).Id(t.Lister)).Id("Snapshot").Params().Id(t.Lister).Block(
			jen.Return(jen.Id(t.Lister).ValuesFunc(func(g *jen.Group) {
				g.Id(listerOf(t)).Op(":").Id(t.ListerRecv).Dot(listerOf(t)).Dot("Snapshot").Call()
				if t.Handles != "" {
					g.Id("indexes").Op(":").Id(t.ListerRecv).Dot("indexes")
				}
			}))))
}

// newLister declares the constructor of a lister.
func newLister(f *jen.File, t *model.Type) {
	text, construct := "%s returns a lister of s, which may be in use.", "New"
	if !t.Namespaced {
		construct = "NewClusterScoped"
	}
	inner := []jen.Code{
		jen.Id(listerOf(t)), jen.Qual(model.Lister, construct).Call(
			jen.Id("s"), jen.Id(t.ResourceVar).Dot("GroupResource").Call()),
	}
	if t.Handles != "" {
		text += " It adds the indexes to s if s has no such lister yet."
		var handles []jen.Code
		for _, ix := range t.Indexes {
			handles = append(handles, jen.Id(ix.Method), addIndex(t, ix))
		}
		inner = append(inner, jen.Id("indexes"), jen.Qual(model.Store, "Extension").Call(
			jen.Id("s"), jen.Func().Params().Op("*").Id(t.Handles).Block(
				jen.Return(jen.Op("&").Id(t.Handles).ValuesFunc(fields(handles...))))))
	}
	declare(f, fmt.Sprintf(text, t.NewLister),
		jen.Func().Id(t.NewLister).Params(
			jen.Id("s").Op("*").Qual(model.Lister, "Store").Types(object(t)),
		).Id(t.Lister).Block(jen.Return(jen.Id(t.Lister).ValuesFunc(fields(inner...)))))
}

// addIndex prints the call that adds an index to the store s.
func addIndex(t *model.Type, ix *model.Index) *jen.Statement {
	args := []jen.Code{jen.Id("s"), jen.Lit(ix.Name), extractorOf(t, ix)}
	switch {
	case ix.Kind == model.Labels:
		return jen.Qual(model.Store, "AddLabels").Call(jen.Id("s"))
	case ix.Ordered && ix.Unique:
		return jen.Qual(model.Store, "AddUniqueOrdered").Call(append(args, order(ix))...)
	case ix.Ordered:
		return jen.Qual(model.Store, "AddOrdered").Call(append(args, order(ix))...)
	case ix.Unique:
		return jen.Qual(model.Store, "AddUnique").Call(args...)
	}
	return jen.Qual(model.Store, "AddIndex").Call(args...)
}

// order prints the function that compares the values of an index.
func order(ix *model.Index) *jen.Statement {
	if ix.Composite() || ix.Parts[0].Compares() {
		return goType(ix.Value).Dot("Compare")
	}
	return jen.Qual(model.Cmp, "Compare").Types(goType(ix.Value))
}

// extractorOf prints the function that an index calls.
func extractorOf(t *model.Type, ix *model.Index) *jen.Statement {
	switch ix.Kind {
	case model.Owners:
		return jen.Qual(model.Lister, "Owners").Types(object(t))
	case model.Controllers:
		return jen.Qual(model.Lister, "Controller").Types(object(t))
	}
	return jen.Id(ix.Func)
}

func listerOf(t *model.Type) string {
	if t.Namespaced {
		return "Lister"
	}
	return "ClusterScopedLister"
}
