// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package migrate

import (
	"context"
	"go/ast"
	"go/constant"
	"go/types"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode"
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
	Reads    []Position `json:"reads,omitempty"` // where the index is asked by its name
	// Reason says why there are no markers, and At where in the function.
	Reason string    `json:"reason,omitempty"`
	At     *Position `json:"at,omitempty"`

	reg    *registration
	object *types.Named
	same   bool                // another answer has the same function for the same index
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
	var out []*Answer
	names, first := map[string]string{}, map[string]*Answer{}
	for _, r := range p.registrations() {
		a := p.answer(r, names, first)
		out = append(out, a)
	}
	return &Report{out, attach(out, p.reads())}, nil
}

// answer evaluates one registration. names holds the names of indexes by type and name, and by type and markers, and first the first
// answer for each type, index and function.
func (p *program) answer(r *registration, names map[string]string, first map[string]*Answer) *Answer {
	a := &Answer{Position: p.short(p.position(r.at)), Target: r.target, Function: p.functionName(r), reg: r}
	a.Index = types.ExprString(r.name)
	if v := r.in.info.Types[r.name].Value; v != nil {
		a.Index = constant.StringVal(v)
	}
	if a.Function == "cache.MetaNamespaceIndexFunc" {
		a.Needless = true
		return a
	}
	e, terms, why := p.evaluate(r)
	if named := rootNamed(e.root.typ); named != nil {
		a.object, a.Type = named, localName(named)
	}
	if broken := r.in.Errors; len(broken) > 0 && (why != nil || len(terms) == 0) {
		a.Reason = "the package does not compile: " + strings.TrimPrefix(broken[0].Error(), "-: ")
		return a
	}
	if why != nil {
		at := p.short(why.at)
		a.Reason, a.At = why.what, &at
		return a
	}
	if len(terms) == 0 {
		a.Reason = "no keys"
		return a
	}
	a.fields, a.words = slices.Sorted(maps.Keys(e.fields)), e.words
	key := strings.Join([]string{a.Type, a.Index, a.Function, string(a.Target)}, " ")
	if before := first[key]; before != nil && a.Function != closureName {
		a.Indexes, a.Reason, a.same = before.Indexes, before.Reason, true
		return a
	}
	first[key] = a
	indexes, err := e.marked(free(a, names), terms)
	if err != nil {
		a.Reason = err.Error()
		return a
	}
	a.Indexes = indexes
	for _, ix := range indexes {
		ix.share(a.Type, names)
		names[a.Type+" "+ix.Name] = ix.Name
	}
	return a
}

// share takes the name of an index of the same type with the same markers, of which there can be one.
func (ix *Index) share(of string, names map[string]string) {
	unnamed := strings.ReplaceAll(of+strings.Join(slices.Sorted(slices.Values(ix.Markers)), " "), "name="+ix.Name+",", "")
	if names[unnamed] == "" {
		names[unnamed] = ix.Name
		return
	}
	for i, m := range ix.Markers {
		ix.Markers[i] = strings.Replace(m, "name="+ix.Name+",", "name="+names[unnamed]+",", 1)
	}
	ix.Name = names[unnamed]
}

func rootNamed(t types.Type) *types.Named {
	if t == nil {
		return nil
	}
	return rootType(t)
}

const closureName = "a closure"

// functionName returns what a program calls an index function.
func (p *program) functionName(r *registration) string {
	switch fn := ast.Unparen(r.fn).(type) {
	case *ast.FuncLit:
		return closureName
	default:
		return types.ExprString(fn)
	}
}

var version = regexp.MustCompile(`^v[0-9]+((alpha|beta)[0-9]+)?$`)

// localName returns the name of a type with the usual name of its package in imports, such as corev1.Pod.
func localName(named *types.Named) string {
	return importName(named.Obj().Pkg().Path()) + "." + named.Obj().Name()
}

func importName(pkg string) string {
	name := path.Base(pkg)
	if version.MatchString(name) && strings.Contains(pkg, "/") {
		name = path.Base(path.Dir(pkg)) + name
	}
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return -1
	}, name)
}

// free returns a name for an index that no other index of the type has.
func free(a *Answer, names map[string]string) string {
	words := strings.FieldsFunc(a.Index, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	if a.reg.in.info.Types[a.reg.name].Value == nil || len(words) == 0 {
		words = []string{a.Function}
	}
	from := len(words) - 1
	if slices.Contains([]string{"name", "namespace", "kind", "group", "uid", "id"}, strings.ToLower(words[from])) {
		from = max(0, from-1)
	}
	name := ""
	for ; ; from-- {
		name = ""
		for _, w := range words[max(0, from):] {
			name += exported(w)
		}
		if names[a.Type+" "+name] == "" || from <= 0 {
			break
		}
	}
	for names[a.Type+" "+name] != "" {
		name += "X"
	}
	return name
}

// exported returns a name in Go for some words.
func exported(s string) string {
	out := ""
	for _, w := range strings.FieldsFunc(s, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		if slices.Contains([]string{"uid", "id", "url", "ip"}, w) {
			w = strings.ToUpper(w)
		}
		out += strings.ToUpper(w[:1]) + w[1:]
	}
	if trimmed := strings.TrimPrefix(out, "By"); trimmed != "" && unicode.IsUpper(rune(trimmed[0])) {
		return trimmed
	}
	return out
}
