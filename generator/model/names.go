// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package model

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// AssignNames chooses every identifier of the emitted file. It expects the rest
// of the model to be complete.
//
// taken holds the identifiers that other files of the emitted package declare;
// imports and local variables stay clear of them. Names that the package exports
// follow from the markers alone, so that they never change because of a
// neighbor: if one is taken, that is for the caller to refuse (see Declared).
// packages gives the declared names of imported packages by path.
func AssignNames(p *Package, taken map[string]bool, packages map[string]string) {
	p.Sources, p.HTTPSources, p.HTTPSourcesIn = "Sources", "HTTPSources", ""
	p.Informers, p.NewFactory = "Informers", "NewInformers"
	assignImports(p, taken, packages)
	accessors := map[string]int{}
	for _, t := range p.Types {
		accessors[t.Plural]++
		accessors["Use"+t.Plural]++
		if t.Namespaced {
			p.HTTPSourcesIn = p.HTTPSources + "In"
		}
	}
	for _, t := range p.Types {
		t.Accessor = t.Plural
		if accessors[t.Plural] > 1 || factoryMethods[t.Plural] {
			t.Accessor = t.Kind + "Objects"
		}
		t.AccessorVar, t.UseAccessor = lowerFirst(t.Accessor), "Use"+t.Accessor
		assignType(p, t)
	}
}

// factoryMethods are promoted to the factory and must stay reachable.
var factoryMethods = map[string]bool{
	"Factory": true, "Start": true, "Run": true, "WaitForSync": true, "Shutdown": true, "ShutdownContext": true,
}

func assignType(p *Package, t *Type) {
	t.ResourceVar = t.Kind + "Resource"
	t.Lister = t.Kind + "Lister"
	t.Indexer = t.Kind + "Indexer"
	t.NewIndexer = "New" + t.Indexer
	t.Informer = t.Kind + "Informer"
	t.NewInformer = "New" + t.Informer
	t.Source, t.IndexesType = "", ""
	if t.List != nil {
		t.Source = t.Kind + "Source"
	}
	if len(t.Indexes) > 0 {
		t.IndexesType = t.Kind + "Indexes"
	}
	s := p.scope()
	t.ListerRecv, t.InformerRecv = s.pick("l"), s.pick("i")
	s = p.scope()
	for _, ix := range t.Indexes {
		ix.useFunction(p, s)
	}
	t.ObjectParam = s.pick(initial(t.Kind))
	for _, ix := range t.Indexes {
		assignIndex(p, t, ix)
	}
}

func assignIndex(p *Package, t *Type, ix *Index) {
	ix.Method = "By" + ix.Name
	ix.Func, ix.Key, ix.Result = "", "", ""
	if ix.Composite() {
		ix.Key = t.Kind + ix.Name + "Key"
		ix.Value = GoType{Ident: Ident{Path: p.Path, Name: ix.Key}}
	}
	ix.All, ix.Conflicts, ix.Range, ix.From, ix.Min, ix.Max = "", "", "", "", "", ""
	if ix.Unique {
		ix.All, ix.Conflicts = ix.Method+"All", ix.Method+"Conflicts"
	}
	s := p.scope()
	s.use(t.ListerRecv)
	if ix.Ordered {
		ix.Range, ix.From, ix.Min, ix.Max = ix.Method+"Range", ix.Method+"From", "Min"+ix.Name, "Max"+ix.Name
		ix.Bounds = [2]string{s.pick("from"), s.pick("to")}
	}
	if ix.Kind == Labels {
		ix.Parts[0].Param, ix.Parts[1].Param = s.pick("key"), s.pick("value")
		return
	}
	nameParts(ix)
	avoidCompare(ix)
	s = p.scope()
	s.use(t.ListerRecv)
	for _, part := range ix.Parts {
		want := lowerFirst(part.Field)
		if n := len(part.Steps); part.element() != "" && n > 1 && part.Steps[n-2].Name == part.Field {
			want = part.element() // ByCapabilities(capability)
		}
		part.Param = s.pick(want)
	}
	switch ix.Kind {
	case Paths, Refs, Funcs:
		ix.Func = "Index" + t.Kind + ix.Method
		assignLocals(p, t, ix)
	}
}

// assignLocals names the variables of an index function.
func assignLocals(p *Package, t *Type, ix *Index) {
	s := p.scope()
	s.use(t.ObjectParam)
	s.use("ok")
	ix.useFunction(p, s)
	ix.Result = s.pick("dst")
	switch ix.Kind {
	case Refs:
		ix.NamespaceVar = s.pick("namespace")
	case Funcs:
		ix.ValueVar = s.pick("v")
	}
	bound := map[string]*Step{}
	for _, part := range ix.Parts {
		for i, step := range part.Steps {
			if step.Op == Field || step.Op == Match {
				continue
			}
			prefix := part.Prefix(i)
			if same := bound[prefix]; same != nil {
				step.Var, step.Counter = same.Var, same.Counter
				continue
			}
			bound[prefix] = step
			if step.Struct && !step.Pointer && step.Op == Each && i < len(part.Steps)-1 {
				step.Counter = s.counter()
			}
			step.Var = s.pick(step.Singular)
		}
	}
}

// useFunction keeps local variables clear of the function that an index function
// calls.
func (ix *Index) useFunction(p *Package, s scope) {
	if ix.Kind == Funcs && ix.Of.Path == p.Path {
		s.use(ix.Of.Name)
	}
}

// nameParts names the fields of a key struct: each for the last field of its
// path, with as many of those before it as make it unique. The one part of a
// plain index is named for the index.
func nameParts(ix *Index) {
	if !ix.Composite() {
		ix.Parts[0].Field = ix.Name
		return
	}
	words, used := make([][]string, len(ix.Parts)), make([]int, len(ix.Parts))
	for i, part := range ix.Parts {
		words[i], used[i] = part.words(), 1
	}
	for {
		same := map[string][]int{}
		for i, part := range ix.Parts {
			part.Field = strings.Join(words[i][len(words[i])-used[i]:], "")
			same[part.Field] = append(same[part.Field], i)
		}
		if len(same) == len(ix.Parts) {
			return
		}
		longer := false
		for _, parts := range same {
			for _, i := range parts {
				if len(parts) > 1 && used[i] < len(words[i]) {
					used[i]++
					longer = true
				}
			}
		}
		if !longer {
			break
		}
	}
	taken := map[string]bool{}
	for _, part := range ix.Parts {
		taken[part.Field] = true
	}
	for i, part := range ix.Parts {
		n := i + 1
		for taken[part.Field+strconv.Itoa(n)] {
			n += len(ix.Parts)
		}
		part.Field += strconv.Itoa(n)
		taken[part.Field] = true
	}
}

// avoidCompare renames a field of a key struct that has the name of its method.
func avoidCompare(ix *Index) {
	const method = "Compare"
	taken := map[string]bool{}
	for _, part := range ix.Parts {
		taken[part.Field] = true
	}
	for _, part := range ix.Parts {
		if !ix.Composite() || part.Field != method {
			continue
		}
		part.Field = method + "Value"
		for n := 2; taken[part.Field]; n++ {
			part.Field = method + strconv.Itoa(n)
		}
	}
}

// words lists what the path passes through, in Go's spelling.
func (p *Part) words() []string {
	var out []string
	for _, s := range p.Steps {
		switch s.Op {
		case Field:
			out = append(out, s.Name)
		case Lookup:
			out = append(out, camel(s.Name))
		case Match:
			out = append(out, camel(s.Value))
		}
	}
	if one := p.element(); one != "" && len(out) > 0 {
		out[len(out)-1] = camel(one)
	}
	return out
}

// element is what one value of a part is called if the path ends with a list.
func (p *Part) element() string {
	if n := len(p.Steps); n > 0 && p.Steps[n-1].Op == Each {
		return p.Steps[n-1].Singular
	}
	return ""
}

func initial(s string) string {
	r, _ := utf8.DecodeRuneInString(s)
	return string(unicode.ToLower(r))
}

// lowerFirst makes an exported name local: NodeName is nodeName, URLPath is
// urlPath, ID is id.
func lowerFirst(s string) string {
	runes := []rune(s)
	for i, r := range runes {
		if !unicode.IsUpper(r) {
			break
		}
		if i > 0 && i+1 < len(runes) && unicode.IsLower(runes[i+1]) {
			break
		}
		runes[i] = unicode.ToLower(r)
	}
	return string(runes)
}

// camel makes an exported Go name of a map key: app.kubernetes.io/name is
// AppKubernetesIoName.
func camel(s string) string {
	var b strings.Builder
	up := true
	for _, r := range s {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			up = true
			continue
		}
		if b.Len() == 0 && !unicode.IsLetter(r) {
			b.WriteString("Key")
		}
		if up {
			r = unicode.ToUpper(r)
		}
		b.WriteRune(r)
		up = false
	}
	if b.Len() == 0 {
		return "Key"
	}
	return b.String()
}
