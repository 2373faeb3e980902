// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package index

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/indexer-gen/indexer-gen/generator/internal/gotypes"
	"github.com/indexer-gen/indexer-gen/generator/internal/load"
	"github.com/indexer-gen/indexer-gen/generator/internal/marker"
	"github.com/indexer-gen/indexer-gen/generator/internal/served"
	"github.com/indexer-gen/indexer-gen/templates/model"
	"sigs.k8s.io/controller-tools/pkg/loader"
)

// mostSelectable is how many selectable fields an API server takes of one version.
const mostSelectable = 8

// selectables adds the indexes of the fields that the API server can select by, but not of
// those that a marker of ours has indexed. Each is named for its field or, if others would
// have that name too, for its path: the order of the markers must not decide who has it.
func (b *Builder) selectables(root *served.Root) {
	var all, added []*model.Index
	r := b.Resolver.suggesting(func(path string, part *model.Part) bool {
		return !inCRD(root) || b.unselectable(path, part) == ""
	})
	r.dots = true
	at, named := map[*model.Index]token.Pos{}, map[string]int{}
	for _, ix := range b.Out.Indexes {
		named[ix.Name]++
	}
	for _, v := range root.Kube[marker.Selectable] {
		path := v.(served.SelectableOptions).JSONPath
		pos := root.Place(marker.Selectable, func(text string) bool {
			_, value, _ := strings.Cut(text, "=")
			return strings.Trim(value, "\"` ") == path
		})
		part, bad := r.part(path)
		if bad != nil && inCRD(root) && b.keyless(path, bad.part) {
			continue
		}
		if bad != nil {
			b.Resolver.p.Report.At(pos, "+%s: %s", marker.Selectable, bad.message)
			continue
		}
		ix := &model.Index{Name: gotypes.Exported(part.Path), Parts: []*model.Part{part}, Value: part.Type}
		if last := part.Steps[len(part.Steps)-1]; last.Op == model.Field && gotypes.IsIndexName(last.Name) {
			ix.Name = last.Name
		}
		same := func(other *model.Index) bool { return sameValues(ix, other) }
		if inCRD(root) {
			why := b.unselectable(path, part)
			switch {
			case why != "":
				why += fmt.Sprintf("; for the index alone write +index:name=%s,path=%s instead", ix.Name, part.Path)
			case slices.ContainsFunc(all, same):
				why = "it is there twice, which the API server refuses; keep one of them"
			case len(all) == mostSelectable:
				why = fmt.Sprintf("the API server takes no more than %d selectable fields; remove one or, for the index alone, write +index:name=%s,path=%s instead", mostSelectable, ix.Name, part.Path)
			}
			if why != "" {
				b.Resolver.p.Report.At(pos, "+%s: path %s: %s", marker.Selectable, path, why)
				continue
			}
		}
		all = append(all, ix)
		if slices.ContainsFunc(b.Out.Indexes, same) || slices.ContainsFunc(added, same) {
			continue
		}
		named[ix.Name]++
		added, at[ix] = append(added, ix), pos
	}
	for _, ix := range added {
		if named[ix.Name] > 1 {
			ix.Name = gotypes.Exported(ix.Parts[0].Path)
		}
		b.add(ix, at[ix])
	}
}

// inCRD reports whether controller-gen makes a CRD of a type. Of an alias, of a slim type and
// of a copy it most likely makes none, and what serves them may select by other fields.
func inCRD(r *served.Root) bool {
	return r.Home == r.Pkg && r.Slim == "" && (r.Copied == "" || r.SaidServed())
}

// keyless reports whether a path leads to what an API server can select by, for it is text
// in JSON, though it is no key in Go. The marker is right then, and gives no index.
func (b *Builder) keyless(path string, part *model.Part) bool {
	if part == nil {
		return false
	}
	leaf := b.Resolver.leaves[part]
	text := gotypes.IsBytes(leaf.t) || marshalsText(leaf.t) || saysType(b.Resolver.p, leaf)
	return text && b.unselectable(path, part) == ""
}

// unselectable says why an API server refuses a CRD that has the path among its selectable
// fields, or "". The rules are those of ValidateCustomResourceSelectableFields in
// k8s.io/apiextensions-apiserver.
func (b *Builder) unselectable(path string, part *model.Part) string {
	leaf := b.Resolver.leaves[part]
	switch {
	case strings.HasPrefix(path, "$"):
		return "the API server takes no $ before the path"
	case part.Path == ".metadata.name", part.Path == ".metadata.namespace":
		return "the API server selects by it without being told, and refuses all of metadata here"
	case strings.HasPrefix(part.Path, ".metadata."):
		return "the API server takes no field of metadata"
	case part.Multi():
		return "it is a list or has one on its way, and the API server selects by single values"
	case strings.Contains(path, "["):
		return "the API server takes no [ ] in the path of a selectable field"
	case saysType(b.Resolver.p, leaf):
		return ""
	}
	if why := notInSchema(leaf.t); why != "" {
		return fmt.Sprintf("%s is %s, and the API server selects by texts, integers and booleans", b.Resolver.show(leaf.t), why)
	}
	return ""
}

// notInSchema says what a type is in the schema of a CRD, as controller-gen writes it, if
// it is neither a text nor an integer nor a boolean there; otherwise it is "".
func notInSchema(t types.Type) string {
	t = gotypes.Deref(t)
	switch {
	case gotypes.IsNamed(t, model.Resource, "Quantity"), gotypes.IsNamed(t, "k8s.io/apimachinery/pkg/util/intstr", "IntOrString"):
		return "an integer or a text, whichever is given"
	case gotypes.IsNamed(t, gotypes.MetaV1Path, "Time"), gotypes.IsNamed(t, gotypes.MetaV1Path, "MicroTime"), gotypes.IsNamed(t, gotypes.MetaV1Path, "Duration"):
		return ""
	case marshalsText(t), gotypes.IsBytes(t):
		return ""
	}
	switch t.Underlying().(type) {
	case *types.Basic:
		return "" // a float is no key
	case *types.Array:
		return "a list" // of bytes too
	}
	return "an object"
}

func marshalsText(t types.Type) bool {
	return types.NewMethodSet(types.NewPointer(gotypes.Deref(t))).Lookup(nil, "MarshalText") != nil
}

// saysType reports whether a marker of kubebuilder's, on a field or its type, says what it
// is in the schema, whatever it is in Go.
func saysType(p *load.Program, of leaf) bool {
	const mark = "+kubebuilder:validation:Type"
	says := func(pkg *loader.Package, node ast.Node) (found bool) {
		served.EachCommentOf(load.FileOf(pkg, node), node, func(c *ast.Comment, _ bool) {
			value, marked := strings.CutPrefix(strings.TrimLeft(c.Text, "/ \t"), mark)
			found = found || marked && strings.HasPrefix(strings.TrimPrefix(value, ":"), "=")
		})
		return found
	}
	if of.field != nil && of.field.Pkg() != nil && p.Checked[of.field.Pkg().Path()] != nil {
		pkg := p.Checked[of.field.Pkg().Path()]
		if _, field := load.Declaration(pkg, of.field); field != nil && says(pkg, field) {
			return true
		}
	}
	named, ok := types.Unalias(gotypes.Deref(of.t)).(*types.Named)
	if !ok || named.Obj().Pkg() == nil || p.Checked[named.Obj().Pkg().Path()] == nil {
		return false
	}
	pkg := p.Checked[named.Obj().Pkg().Path()]
	spec := load.Specs(pkg)[named.Obj().Name()]
	return spec != nil && says(pkg, spec)
}
