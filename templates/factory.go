// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package templates

import (
	"fmt"
	"strings"
)

// declareFactory declares the parts that a package has once: the sources and the factory of
// shared informers.
func declareFactory(f *file) {
	p := f.pkg
	var sources, shared strings.Builder
	kv := []string{"Factory", "f"}
	for _, t := range p.Types {
		sources.WriteString(t.Accessor + " " + sourceType(t) + "\n")
		shared.WriteString(t.AccessorVar + " *«informer».Shared[*" + t.Informer + "]\n")
		kv = append(kv, t.AccessorVar, fmt.Sprintf("«informer».Share(f, func() *%s {\nreturn %s(src.%s, opts...)\n})",
			t.Informer, t.NewInformer, t.Accessor))
	}
	f.declare(fmt.Sprintf("%s says where the informers read from, such as wire.Source over HTTP. An "+
		"informer without a source fails when it is run.", p.Sources), "type "+p.Sources+" struct {\n"+sources.String()+"}")
	f.declare(fmt.Sprintf("%s shares one informer per type. Each is created on first use and runs once "+
		"the factory is started.", p.Informers), "type "+p.Informers+" struct {\n*«informer».Factory\n"+shared.String()+"}")
	f.declare(fmt.Sprintf("%s returns a factory whose informers read from src and are created with opts.",
		p.NewFactory), fmt.Sprintf(`func %s(src %s, opts ...«informer».Option) *%s {
	f := «informer».NewFactory()
	return &%[3]s%[4]s
}`, p.NewFactory, p.Sources, p.Informers, bracedLiteralElements(kv...)))
	for _, t := range p.Types {
		f.declare(fmt.Sprintf("%s returns the shared informer of %s, which runs until f is shut down.",
			t.Accessor, t.Plural), fmt.Sprintf("func (f *%s) %s() *%s {\nreturn f.%s.Get()\n}",
			p.Informers, t.Accessor, t.Informer, t.AccessorVar))
		f.declare(fmt.Sprintf("%s is %s for temporary use: the informer stops when its last user calls "+
			"release.", t.UseAccessor, t.Accessor),
			fmt.Sprintf("func (f *%s) %s() (_ *%s, release func()) {\nreturn f.%s.Use()\n}",
				p.Informers, t.UseAccessor, t.Informer, t.AccessorVar))
	}
}
