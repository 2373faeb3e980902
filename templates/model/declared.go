// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package model

// Declaration is an identifier that an emitted file declares at package level.
type Declaration struct {
	Name string
	Type string // the kind that needs it; "" if the file as a whole does
	Of   string // the index that needs it; "" if the type as a whole does
}

// Declared lists the identifiers that the file declares, in the order of the model. A name
// occurs twice if two types or indexes clash.
func (p *Package) Declared() []Declaration {
	var out []Declaration
	add := func(typ, index string, names ...string) {
		for _, n := range names {
			if n != "" {
				out = append(out, Declaration{Name: n, Type: typ, Of: index})
			}
		}
	}
	add("", "", p.Sources, p.Informers, p.NewFactory)
	for _, h := range p.Inlined() {
		add("", "", p.Target.NameOf(h))
	}
	for _, t := range p.Types {
		add(t.Kind, "", t.ResourceVar, t.Handles, t.Lister, t.NewLister, t.Indexer, t.NewIndexer, t.NewSource,
			t.Informer, t.NewInformer, t.Register, t.RegisterFake, t.FieldIndexers)
		for _, ix := range t.Indexes {
			add(t.Kind, ix.Name, ix.Key, ix.Func, ix.Const)
		}
	}
	return out
}
