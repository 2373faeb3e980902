// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package index

import (
	"cmp"
	"go/types"
	"slices"
	"strings"

	"github.com/indexer-gen/indexer-gen/generator/internal/diag"
	"github.com/indexer-gen/indexer-gen/generator/internal/gotypes"
	"github.com/indexer-gen/indexer-gen/templates/model"
)

// byFunction is the remedy for values that no path reaches.
const byFunction = "; return the value from a function, and mark it with +index:func:name=N"

// hint is a suggested replacement for a wrong path. It is shown only if the path resolves.
type hint struct {
	format  string // has a %s for the path, and perhaps a %k for it with a key instead of its [*]
	path    string
	example bool // one of several possible paths
	exact   bool // do not repair
}

// or adds a hint to an error.
func (e *pathError) or(format, path string) *pathError {
	e.hints = append(e.hints, hint{format: format, path: path})
	return e
}

// mostTried limits the hints tried for one error, mostRepairs the repairs of a hint's paths.
const mostTried, mostRepairs = 8, 3

// advice returns the first hint of an error whose path resolves. If there is none, it
// repairs the paths with the hints of their own errors.
func (r *resolver) advice(bad *pathError) string {
	for _, repairs := range []int{0, mostRepairs} {
		for _, h := range bad.hints[:min(len(bad.hints), mostTried)] {
			path, example := r.repaired(h.path, h, repairs)
			if path == "" {
				continue
			}
			keyed := strings.TrimSuffix(h.path, "[*]") + "['key']" + strings.TrimPrefix(path, h.path)
			text, question := strings.CutSuffix(strings.NewReplacer("%s", path, "%k", keyed).Replace(h.format), "?")
			if example {
				text += ", for example"
			}
			if question {
				text += "?"
			}
			return text
		}
	}
	return bad.otherwise
}

// repaired returns a path that resolves: path itself, or its repair by the hints of its
// error. It returns "" if there is none. example reports whether other paths are possible.
func (r *resolver) repaired(path string, of hint, repairs int) (instead string, example bool) {
	part, bad := r.try(path)
	switch {
	case bad == nil && (r.fits == nil || r.fits(path, part)):
		return path, false
	case bad == nil || repairs == 0 || of.exact:
		return "", false
	}
	for _, h := range bad.hints[:min(len(bad.hints), mostTried)] {
		if instead, example = r.repaired(h.path, h, repairs-1); instead != "" {
			return instead, example || h.example
		}
	}
	return "", false
}

// unknownField sets the error for a path to a missing field, and suggests similar fields.
// They are in the same struct or, if it has none, anywhere below the root.
func (r *resolver) unknownField(bad *pathError, at *types.Struct, before, name, rest string) {
	why := cmp.Or(gotypes.Ambiguous(at, name), notEncoded(at, name), r.beyondSlim(before, name))
	if oneof := gotypes.InOneof(at, name); why == "" && oneof != "" {
		why = oneof + byFunction
	}
	if why != "" {
		bad.message += ": " + why
		return
	}
	if bad.similar(at, name, func(instead string) string { return before + "." + instead + rest }) {
		return
	}
	for _, path := range fieldPaths(r.root) {
		if strings.HasSuffix(path, "."+name) {
			bad.or("; did you mean %s?", path+rest)
		}
	}
}

// notEncoded returns an error if the struct has a Go field of that name that JSON omits,
// or "".
func notEncoded(st *types.Struct, name string) string {
	for f := range st.Fields() {
		named := func(j gotypes.JSONField) bool { return j.Leaf() == f }
		if f.Name() == name && !slices.ContainsFunc(gotypes.JSONFields(st), named) {
			return "it is not encoded as JSON"
		}
	}
	return ""
}

// similar adds hints for fields with a similar name, using path to form the paths. It
// reports whether there is one.
func (e *pathError) similar(at *types.Struct, name string, path func(string) string) bool {
	var names []string
	for _, f := range gotypes.JSONFields(at) {
		names = append(names, f.Shown)
		if inGo := f.Leaf().Name(); inGo == name || inGo == strings.ToUpper(name[:1])+name[1:] {
			e.or("; JSON names are used: %s", path(f.Shown))
			return true
		}
	}
	best := diag.Nearest(name, names)
	if best != "" {
		e.or("; did you mean %s?", path(best))
	}
	return best != ""
}

// below suggests paths to key fields below a struct that cannot be a key.
func (e *pathError) below(st *types.Struct, path string) {
	for _, f := range gotypes.JSONFields(st) {
		if at := f.Leaf().Pkg(); at != nil && at.Path() == model.Resource {
			e.otherwise = "; or declare the field as resource.Quantity"
			return
		}
		t := gotypes.Deref(f.Leaf().Type())
		if _, isStruct := t.Underlying().(*types.Struct); isStruct || notKey(t, "") != "" {
			continue
		}
		for _, each := range []string{".", "[*]."} {
			e.hints = append(e.hints, hint{
				format: "; index a field in it, like %s", path: path + each + f.Shown, example: true,
			})
		}
	}
}

// fieldPaths lists the paths to fields below a type, shallow ones first, metadata last.
func fieldPaths(root types.Type) []string {
	type place struct {
		t    types.Type
		path string
	}
	const deepest, most = 5, 5000
	var out, metadata []string
	level := []place{{root, ""}}
	for range deepest {
		var next []place
		for _, p := range level {
			st, ok := p.t.Underlying().(*types.Struct)
			if !ok || len(out) > most {
				continue
			}
			for _, f := range gotypes.JSONFields(st) {
				elem, steps := gotypes.Element(f.Leaf().Type())
				path := p.path + "." + f.Shown
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

// shown returns the name of the value at path for messages.
func shown(path string) string {
	if path == "" {
		return "the type"
	}
	return path
}

// show formats a type as the user's package would write it.
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
