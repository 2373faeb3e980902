// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package generator

import (
	"fmt"
	"go/types"
	"strings"

	"github.com/indexer-gen/indexer-gen/generator/fieldpath"
	"github.com/indexer-gen/indexer-gen/generator/model"
)

// suggest names the field that was most likely meant, at this place or, if there
// is none like it, anywhere below the root.
func (r *resolver) suggest(at *types.Struct, before, name string) string {
	var here []string
	for _, f := range jsonFields(at) {
		here = append(here, f.name)
		if f.leaf().Name() == name {
			return fmt.Sprintf("; JSON names are used: %s.%s", before, f.name)
		}
	}
	if why := ambiguous(at, name); why != "" {
		return ": " + why
	}
	for f := range at.Fields() {
		if f.Name() == name {
			return "; it is not encoded as JSON"
		}
	}
	if why := r.beyondSlim(before, name); why != "" {
		return ": " + why
	}
	if best := Nearest(name, here); best != "" {
		return fmt.Sprintf("; did you mean %s.%s?", before, best)
	}
	for _, path := range scalarPaths(r.root, 5) {
		if strings.HasSuffix(path, "."+name) {
			return fmt.Sprintf("; did you mean %s?", path)
		}
	}
	return ""
}

// below proposes a path to something in a struct that can be a key.
func (r *resolver) below(st *types.Struct, path fieldpath.Path, list bool) string {
	each := ""
	if list && path[len(path)-1].Kind == fieldpath.Name {
		each = "[*]"
	}
	for _, f := range jsonFields(st) {
		if at := f.leaf().Pkg(); at != nil && at.Path() == model.Resource {
			return "; or declare the field as resource.Quantity"
		}
		t := deref(f.leaf().Type())
		if _, isStruct := t.Underlying().(*types.Struct); !isStruct && notKey(t, "") == "" {
			return fmt.Sprintf("; index something in it, like %s%s.%s", path, each, f.name)
		}
	}
	return ""
}

// scalarPaths lists the paths to fields below a type, shallow ones first, metadata last.
func scalarPaths(root types.Type, depth int) []string {
	type place struct {
		t    types.Type
		path string
	}
	var out, metadata []string
	level := []place{{root, ""}}
	for range depth {
		var next []place
		for _, p := range level {
			st, ok := p.t.Underlying().(*types.Struct)
			if !ok || len(out) > 5000 {
				continue
			}
			for _, f := range jsonFields(st) {
				elem, steps := element(f.leaf().Type())
				path := p.path + "." + f.name
				if strings.HasPrefix(path, ".metadata") {
					metadata = append(metadata, path)
				} else {
					out = append(out, path)
				}
				next = append(next, place{elem, path + steps.String()})
			}
		}
		level = next
	}
	return append(out, metadata...)
}

// shown is how a message calls the value at a path.
func shown(path string) string {
	if path == "" {
		return "the type"
	}
	return path
}

// show prints a type as the user's package would.
func (r *resolver) show(t types.Type) string {
	return types.TypeString(t, func(p *types.Package) string {
		if p == r.pkg {
			return ""
		}
		if name := model.VersionedName(p.Path(), p.Name()); name != "" {
			return name
		}
		return p.Name()
	})
}
