// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package model

// Member is a field or method of a type that an emitted file declares.
type Member struct {
	Declaration
	Receiver string // the type that has it
}

// Members lists the fields and methods that the file declares, in the order of the model.
// Methods that users add to these types need other names.
func (p *Package) Members() []Member {
	if p.Target.Foreign() {
		return p.foreignMembers()
	}
	var out []Member
	add := func(receiver, typ, index string, names ...string) {
		for _, n := range names {
			if n != "" {
				out = append(out, Member{Declaration{Name: n, Type: typ, Of: index}, receiver})
			}
		}
	}
	add(p.Informers, "", "", "Factory")
	for _, t := range p.Types {
		base := "Lister"
		if !t.Namespaced {
			base = "ClusterScopedLister"
		}
		add(t.Lister, t.Kind, "", base, "Snapshot")
		if t.Handles != "" {
			add(t.Lister, t.Kind, "", "indexes", "Handles")
		}
		for _, ix := range t.Indexes {
			add(t.Lister, t.Kind, ix.Name, ix.Methods()...)
			add(t.Handles, t.Kind, ix.Name, ix.Method)
		}
		add(t.Indexer, t.Kind, "", t.Lister, "Writer")
		add(t.Informer, t.Kind, "", "Informer", "lister", "Lister")
		add(p.Sources, t.Kind, "", t.Accessor)
		add(p.Informers, t.Kind, "", t.Accessor, t.UseAccessor, t.AccessorVar)
	}
	return out
}
