// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package templates

import (
	"fmt"

	"github.com/dave/jennifer/jen"

	"github.com/indexer-gen/indexer-gen/templates/model"
)

// factory declares the parts that a package has once: the sources and the factory of
// shared informers.
func factory(f *jen.File, p *model.Package) {
	sources(f, p)
	declare(f, fmt.Sprintf("%s shares one informer per type. Each is created on first use and runs once "+
		"the factory is started.", p.Informers),
		jen.Type().Id(p.Informers).StructFunc(func(g *jen.Group) {
			g.Op("*").Qual(model.Informer, "Factory")
			for _, t := range p.Types {
				g.Id(t.AccessorVar).Op("*").Qual(model.Informer, "Shared").Types(jen.Op("*").Id(t.Informer))
			}
		}))
	kv := []jen.Code{jen.Id("Factory"), jen.Id("f")}
	for _, t := range p.Types {
		kv = append(kv, jen.Id(t.AccessorVar), jen.Qual(model.Informer, "Share").Call(
			jen.Id("f"),
			jen.Func().Params().Op("*").Id(t.Informer).Block(
				jen.Return(jen.Id(t.NewInformer).Call(jen.Id("src").Dot(t.Accessor),
					jen.Id("opts").Op("...")))),
		))
	}
	body := []jen.Code{jen.Id("f").Op(":=").Qual(model.Informer, "NewFactory").Call()}
	body = append(body, jen.Return(jen.Op("&").Id(p.Informers).ValuesFunc(fields(kv...))))
	declare(f, fmt.Sprintf("%s returns a factory whose informers read from src and are created with opts.",
		p.NewFactory),
		jen.Func().Id(p.NewFactory).Params(
			jen.Id("src").Id(p.Sources),
			jen.Id("opts").Op("...").Qual(model.Informer, "Option"),
		).Op("*").Id(p.Informers).Block(body...))
	method := func() *jen.Statement { return jen.Func().Params(jen.Id("f").Op("*").Id(p.Informers)) }
	for _, t := range p.Types {
		declare(f, fmt.Sprintf("%s returns the shared informer of %s, which runs until f is shut down.",
			t.Accessor, t.Plural),
			method().Id(t.Accessor).Params().Op("*").Id(t.Informer).Block(
				jen.Return(jen.Id("f").Dot(t.AccessorVar).Dot("Get").Call())))
		declare(f, fmt.Sprintf("%s is %s for temporary use: the informer stops when its last user calls "+
			"release.", t.UseAccessor, t.Accessor),
			method().Id(t.UseAccessor).Params().Params(
				jen.Id("_").Op("*").Id(t.Informer), jen.Id("release").Func().Params()).Block(
				jen.Return(jen.Id("f").Dot(t.AccessorVar).Dot("Use").Call())))
	}
}

// sources declares the struct with a source for each type.
func sources(f *jen.File, p *model.Package) {
	declare(f, fmt.Sprintf("%s says where the informers read from, such as wire.Source over HTTP. An "+
		"informer without a source fails when it is run.", p.Sources),
		jen.Type().Id(p.Sources).StructFunc(func(g *jen.Group) {
			for _, t := range p.Types {
				g.Id(t.Accessor).Add(sourceOf(t))
			}
		}))
}
