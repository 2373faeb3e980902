// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package migrate

import (
	"cmp"
	"context"
	"go/ast"
	"go/types"
	"maps"
	"path"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/tools/go/ssa"

	"github.com/indexer-gen/indexer-gen/generator/internal/gotypes"
	"github.com/indexer-gen/indexer-gen/templates/model"
)

// Target is the cache to which a program adds an index.
type Target string

// The caches whose index functions are found.
const (
	ClientGo          Target = "client-go"
	ControllerRuntime Target = "controller-runtime"
)

// Position is a place in a file. The file is relative to the working directory if it is below it.
type Position struct {
	File   string `json:"file"`
	Line   int    `json:"line"`
	Column int    `json:"column"`
}

// Answer is an index that a program adds, and what takes its place.
type Answer struct {
	Position
	Target   Target `json:"target"`
	Index    string `json:"index"` // its name, or the expression that computes it
	Type     string `json:"type"`  // the type of the objects, such as corev1.Pod; "" if it is not known
	Function string `json:"function"`
	// Needless is true for cache.MetaNamespaceIndexFunc, which all our stores have.
	Needless bool       `json:"needless,omitempty"`
	Indexes  []*Index   `json:"indexes,omitempty"`
	Reads    []Position `json:"reads,omitempty"`    // where the index is asked by its name
	Untested bool       `json:"untested,omitempty"` // Write can write no test that calls the function
	// Reason says why there are no markers, and At where in the function.
	Reason string    `json:"reason,omitempty"`
	At     *Position `json:"at,omitempty"`

	reg    *registration
	object *types.Named
	alias  string              // Type without its package, or with it if another type has the same name
	fields []string            // JSON names of what the function reads
	words  map[string][]string // constants in its source, by field
}

// Report is what Find finds.
type Report struct {
	Indexes []*Answer `json:"indexes"` // in the order of files and lines
	// Unregistered are reads of indexes that the packages do not add.
	Unregistered []Read `json:"unregistered,omitempty"`
}

// Find returns the index functions of packages, and who reads the indexes. It changes nothing.
func Find(ctx context.Context, dir string, patterns []string) (*Report, error) {
	p, err := loadProgram(ctx, dir, patterns)
	if err != nil {
		return nil, err
	}
	added, reads, err := p.find()
	if err != nil {
		return nil, err
	}
	var out []*Answer
	names := map[string]string{}
	taken := map[string]string{} // types, by alias
	for _, r := range added {
		a := p.answer(r, names)
		if a.alias = a.Type[strings.Index(a.Type, ".")+1:]; taken[a.alias] != "" && taken[a.alias] != a.Type {
			a.alias = exported(a.Type)
		}
		taken[a.alias], out = a.Type, append(out, a)
	}
	return &Report{out, attach(out, reads)}, nil
}

// answer evaluates one registration. names holds the names of indexes by type and name, and by type and markers:
// only one index of a type can have the same markers.
func (p *program) answer(r *registration, names map[string]string) *Answer {
	a := &Answer{Position: p.position(r.at), Target: r.target, Function: "a closure", reg: r}
	fn := r.function()
	if _, ok := ast.Unparen(fn).(*ast.FuncLit); !ok && fn != nil {
		a.Function = types.ExprString(fn)
	}
	text, isConst := constantOf(r.name)
	if a.Index = text; !isConst {
		name := r.written(func(tv types.TypeAndValue) bool { return tv.Type != nil && tv.Value == nil && gotypes.IsText(tv.Type) })
		if a.Index = "a computed name"; name != nil {
			a.Index = types.ExprString(name)
		}
	}
	if fn, ok := r.fn.(*ssa.Function); ok && fn.RelString(nil) == toolsCache+".MetaNamespaceIndexFunc" {
		a.Needless = true
		return a
	}
	e, terms, why := p.evaluate(r)
	if a.object = rootType(e.root.typ); a.object != nil {
		a.Type = p.name(a.object.Obj().Pkg().Path()) + "." + a.object.Obj().Name()
	}
	switch {
	case why != nil:
		a.Reason, a.At = why.what, &why.at
		return a
	case len(terms) == 0 && e.other != nil:
		a.Reason = "no keys, other than of a " + types.TypeString(e.other, (*types.Package).Name)
		return a
	case len(terms) == 0:
		a.Reason = "no keys"
		return a
	}
	a.fields, a.words = slices.Sorted(maps.Keys(e.fields)), e.words
	words := text
	if exported(words) == "" {
		words = a.Function
	}
	indexes, err := e.marked(free(a.Type, words, names), terms)
	if err != nil {
		a.Reason = err.Error()
		return a
	}
	a.Indexes = indexes
	for _, ix := range indexes {
		old := "name=" + ix.Name + ","
		key := a.Type + strings.ReplaceAll(strings.Join(slices.Sorted(slices.Values(ix.Markers)), " "), old, "")
		if names[key] == "" {
			names[key] = ix.Name
		}
		ix.Name = names[key]
		names[a.Type+" "+ix.Name] = ix.Name
		for i, m := range ix.Markers {
			ix.Markers[i] = strings.Replace(m, old, "name="+ix.Name+",", 1)
		}
	}
	return a
}

// name returns the usual name of a package in imports, such as corev1. Each package has its own.
func (p *program) name(pkg string) string {
	if p.names[pkg] == "" {
		name := cmp.Or(model.VersionedName(pkg, path.Base(pkg)), strings.Join(split(path.Base(pkg)), ""))
		for p.names[name] != "" {
			name += "x"
		}
		p.names[pkg], p.names[name] = name, pkg
	}
	return p.names[pkg]
}

// split returns the words of s, which are letters and digits.
func split(s string) []string {
	return strings.FieldsFunc(s, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

// free returns a name for an index that no other index of the type has, of the last words that tell enough.
func free(of, index string, names map[string]string) string {
	name, words := "", split(index)
	for i := len(words) - 1; i >= 0; i-- {
		name = exported(strings.Join(words[i:], "."))
		vague := slices.Contains([]string{"name", "namespace", "kind", "group", "uid", "id"}, strings.ToLower(words[i]))
		if !vague && names[of+" "+name] == "" {
			break
		}
	}
	for names[of+" "+name] != "" {
		name += "X"
	}
	return name
}

// exported returns a name in Go for some words.
func exported(s string) string {
	out := ""
	for _, w := range split(s) {
		if slices.Contains([]string{"uid", "id", "url", "ip"}, w) {
			w = strings.ToUpper(w)
		}
		out += strings.ToUpper(w[:1]) + w[1:]
	}
	out = cmp.Or(strings.TrimSuffix(out, "Index"), out)
	if i := strings.LastIndex(out, "By"); i >= 0 && i+2 < len(out) && unicode.IsUpper(rune(out[i+2])) {
		return out[i+2:]
	}
	return out
}
