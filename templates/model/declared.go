// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package model

import "strings"

// Declaration is an identifier that an emitted file declares.
type Declaration struct {
	Name     string
	Receiver string // the type that has the field or method; "" at package level
	Type     string // the kind that needs it; "" if the file as a whole does
	Of       string // the index that needs it; "" if the type as a whole does
}

// String returns the identifier, that of a member below its receiver.
func (d Declaration) String() string { return strings.TrimPrefix(d.Receiver+"."+d.Name, ".") }

// Declared lists the identifiers that the file declares, in the order of the model. A name
// occurs twice if two types or indexes clash. Methods that users add need other names than its members.
func (p *Package) Declared() (out []Declaration) {
	add := func(receiver, typ, index string, names ...string) {
		for _, n := range names {
			if n != "" {
				out = append(out, Declaration{n, receiver, typ, index})
			}
		}
	}
	add("", "", "", p.Sources, p.Informers, p.NewFactory)
	for _, h := range p.Inlined() {
		add("", "", "", p.Target.NameOf(h))
	}
	native := !p.Target.Foreign()
	for _, t := range p.Types {
		add("", t.Kind, "", t.ResourceVar, t.Handles, t.Lister, t.NewLister, t.Indexer, t.NewIndexer, t.NewSource,
			t.Informer, t.NewInformer, t.Register, t.Add, t.RegisterFake)
		switch {
		case p.Target.Foreign():
			add(t.Lister, t.Kind, "", p.Target.NameOf(InlinedReader))
		case t.Namespaced:
			add(t.Lister, t.Kind, "", "Lister", "Snapshot")
		default:
			add(t.Lister, t.Kind, "", "ClusterScopedLister", "Snapshot")
		}
		if native { // a state must not hide them
			add(t.Lister, t.Kind, "", "All", "Get", "GetCopy", "Len", "List", "Lookup", "Namespace", "Namespaces", "Reader",
				"ResourceVersion", "Stale", "WaitFor", "Apply", "Delete", "Replace", "Set")
		} else if p.Target == ClientGo {
			add(t.Lister, t.Kind, "", "Get")
			if !t.hasLabelIndex() {
				add(t.Lister, t.Kind, "", "List")
			}
		}
		for _, ix := range t.Indexes {
			add("", t.Kind, ix.Name, ix.Key, ix.Func, ix.Const)
			add(t.Lister, t.Kind, ix.Name, ix.Methods()...)
			if native {
				add(t.Handles, t.Kind, ix.Name, ix.Method)
			} else if ix.Composite() {
				add(ix.Key, t.Kind, ix.Name, "text")
			}
		}
		if !native {
			continue
		}
		if t.Handles != "" {
			add(t.Lister, t.Kind, "", "indexes", "Handles")
		}
		add(t.Indexer, t.Kind, "", t.Lister, "Writer")
		add(t.Informer, t.Kind, "", "Informer", "lister", "Lister")
		add(p.Sources, t.Kind, "", t.Accessor)
		add(p.Informers, t.Kind, "", t.Accessor, t.UseAccessor, t.AccessorVar)
	}
	if native {
		add(p.Informers, "", "", "Factory")
	}
	return out
}
