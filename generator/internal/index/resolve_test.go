// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package index

import (
	"go/types"
	"testing"

	"github.com/indexer-gen/indexer-gen/generator/internal/loadtest"
	"github.com/indexer-gen/indexer-gen/generator/internal/served"
	"github.com/indexer-gen/indexer-gen/generator/internal/target"
)

const spec = `
	Name  string            ~json:"nodeName"~
	Count *int32            ~json:"count,omitempty"~
	Ports []struct {
		Port  int32  ~json:"port"~
		Proto string ~json:"protocol"~
	} ~json:"ports"~
	Tags   map[string]string ~json:"tags"~
	Ratio  float64           ~json:"ratio"~
	Hidden string            ~json:"-"~
	Bare   string
	Inner  struct {
		NodeName string ~json:"nodeName"~
	} ~json:"inner"~
`

// TestPart resolves paths against a type, or says why not and what to write instead.
func TestPart(t *testing.T) {
	p, pkg := loadtest.Program(t, loadtest.Widget("", spec))
	root := &served.Root{Pkg: pkg, Named: pkg.Types.Scope().Lookup("Widget").Type().(*types.Named)}
	for path, test := range map[string]struct {
		steps   int
		key     string
		message string
	}{
		".spec.nodeName":        {2, "string", ""},
		".spec.count":           {2, "int32", ""},
		".spec.ports[*].port":   {4, "int32", ""},
		".spec.tags['app']":     {3, "string", ""},
		".spec.tags[*]":         {3, "string", ""},
		".metadata.name":        {1, "string", ""},
		".metadata.labels['a']": {2, "string", ""},
		`.spec.ports[?(@.port==1 && @.protocol!="a")].port`: {5, "int32", ""},
		`.spec.ports[?(@.prot==1)].port`: {0, "", `path .spec.ports[?(@.prot==1)].port: struct{Port int32 "json:\"port\""; ` +
			`Proto string "json:\"protocol\""} has no field prot; did you mean .spec.ports[?(@.port==1)].port?`},
		".spec.ports[?(@.port==1 && @.port==2)].port": {0, "", "path .spec.ports[?(@.port==1 && @.port==2)].port: " +
			"no element satisfies @.port==1 and @.port==2; remove one of them"},
		".spec.NodeName": {0, "", "path .spec.NodeName: .spec has no field NodeName; did you mean .spec.nodeName?"},
		".spec.Name":     {0, "", "path .spec.Name: .spec has no field Name; JSON names are used: .spec.nodeName"},
		".Spec.Name":     {0, "", "path .Spec.Name: the type has no field Spec; JSON names are used: .spec.nodeName"},
		".Spec.Inner.NodeName": {0, "", "path .Spec.Inner.NodeName: the type has no field Spec; " +
			"JSON names are used: .spec.inner.nodeName"},
		".Spec.Nothing": {0, "", "path .Spec.Nothing: the type has no field Spec; JSON names are used: .spec"},
		".sepc.innre.nodName": {0, "", "path .sepc.innre.nodName: the type has no field sepc; " +
			"did you mean .spec.inner.nodeName?"},
		".sepc.nothing": {0, "", "path .sepc.nothing: the type has no field sepc"},
		".spec.bare": {0, "", "path .spec.bare: .spec has no field bare; its field Bare has no name in a json tag; " +
			"add one, or write .spec.Bare"},
		".nodeName":        {0, "", "path .nodeName: the type has no field nodeName"},
		"spec.nodeName":    {0, "", "path spec.nodeName: a path begins with a dot; write .spec.nodeName"},
		".spec.ports.port": {0, "", "path .spec.ports.port: .spec.ports is a list; write .spec.ports[*].port"},
		".spec.tags.app":   {0, "", "path .spec.tags.app: .spec.tags is a map; write .spec.tags['app']"},
		".spec.nodeName.x": {0, "", "path .spec.nodeName.x: .spec.nodeName is a string and has nothing below it"},
		".spec.Hidden":     {0, "", "path .spec.Hidden: .spec has no field Hidden: it is not encoded as JSON"},
	} {
		r := NewResolver(p, root, target.Destination{Path: loadtest.Path})
		part, bad := r.resolvePart(path)
		switch {
		case bad != nil && bad.message != test.message:
			t.Errorf("%s: %s\nwant %s", path, bad.message, test.message)
		case bad == nil && (test.message != "" || len(part.Steps) != test.steps || part.Type.Ident.Name != test.key):
			t.Errorf("%s: %d steps to a %s, want %+v", path, len(part.Steps), part.Type.Ident.Name, test)
		}
	}
}
