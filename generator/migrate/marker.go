// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package migrate

import (
	"fmt"
	"go/constant"
	"go/types"
	"slices"
	"strings"
)

// An Index is an index of markers of one name.
type Index struct {
	Name    string   `json:"name"`    // the method's name after By
	Markers []string `json:"markers"` // several are a union
	// Notes say where the keys differ, and for which objects.
	Notes []string `json:"notes,omitempty"`

	text     []string // what the function puts before, between and after the parts of a key
	distinct []string // fields of which no two elements of a list have one value, as list.field
	filled   bool     // strings behind pointers and in maps are not empty
	named    bool     // keys with an empty last part do not count
}

// marked returns the indexes for what a function returns.
func (e *evaluator) marked(name string, terms []term) (out []*Index, why error) {
	groups := map[string][]item{}
	var order []string
	for _, t := range terms {
		text, places := split(t.key)
		if len(places) == 0 {
			return nil, fmt.Errorf("the key %s is a constant, or not text", describe(t.key))
		}
		impossible := func(a atom) bool {
			return a.absent() && slices.ContainsFunc(places, func(p *place) bool { return under(p.steps, a.at) })
		}
		if slices.ContainsFunc(t.conds, impossible) {
			continue // the function would panic
		}
		shape := strings.Join(text, "\x00")
		if groups[shape] == nil {
			order = append(order, shape)
		}
		onTheWay := func(a atom) bool {
			return a.present() && a.op != equals && slices.ContainsFunc(places, func(p *place) bool { return under(p.steps, a.at) })
		}
		groups[shape] = append(groups[shape], item{slices.DeleteFunc(slices.Clone(t.conds), onTheWay), t.key})
	}
	for _, shape := range order {
		ix := &Index{Name: name, text: strings.Split(shape, "\x00")}
		if len(order) > 1 {
			ix.Name += exported(ix.text[0])
		}
		if slices.ContainsFunc(out, func(o *Index) bool { return o.Name == ix.Name }) {
			return nil, fmt.Errorf("keys of several forms, such as %q", strings.Join(ix.text, "…"))
		}
		if err := e.index(ix, simplified(groups[shape])); err != nil {
			return nil, err
		}
		out = append(out, ix)
	}
	return out, nil
}

// split returns the constants around the places of a key, and the places.
func split(key value) (consts []string, places []*place) {
	parts := []value{key}
	if t, ok := key.(*text); ok {
		parts = t.parts
	}
	consts = []string{""}
	for _, p := range parts {
		switch p := p.(type) {
		case *konst:
			if p.Kind() == constant.String {
				consts[len(consts)-1] += constant.StringVal(p.Value)
			}
		case *place:
			places, consts = append(places, p), append(consts, "")
		default:
			return consts, nil
		}
	}
	return consts, places
}

// A builder makes the marker of one term.
type builder struct {
	*evaluator
	ix       *Index
	conds    []atom
	places   []*place
	nonempty map[string]bool // places in the key that the conditions say are not empty
	filters  map[int]string
	ifs      []string

	keyed     bool // the conditions say that the map has the key
	defaulted bool // the namespace in the key has the object's own as its default
}

// index adds the markers of the terms of one form to ix.
func (e *evaluator) index(ix *Index, terms []item) error {
	own, plain := namespaced(terms)
	for _, t := range plain {
		b := &builder{evaluator: e, ix: ix, conds: t.conds, nonempty: map[string]bool{}, filters: map[int]string{}}
		_, b.places = split(t.value)
		b.defaulted = own[identity(t.value)]
		if err := b.conditions(); err != nil {
			return err
		}
		marker := b.marker()
		if !slices.Contains(ix.Markers, marker) {
			ix.Markers = append(ix.Markers, marker)
		}
	}
	kinds := map[string]bool{}
	for _, m := range ix.Markers {
		kind, _, _ := strings.Cut(m, "name=")
		kinds[kind+fmt.Sprint(strings.Contains(m, "paths="))] = true
	}
	if len(kinds) > 1 {
		return fmt.Errorf("keys of several kinds in one index: %s", strings.Join(ix.Markers, " and "))
	}
	text := strings.Join(ix.text, "\x00")
	if canonical := "\x00" + strings.Repeat("/\x00", max(0, len(ix.text)-2)); text != canonical {
		ix.Notes = append(ix.Notes, fmt.Sprintf("keys lose their text %q", strings.Join(ix.text, "…")))
	}
	return nil
}

// namespaced finds pairs of terms that are a namespace with the object's own as its default. It returns the terms
// without the second of each pair, and the identities of the keys that have the default.
func namespaced(terms []item) (defaulted map[string]bool, out []item) {
	defaulted = map[string]bool{}
	dropped := map[int]bool{}
	for i, t := range terms {
		_, with := split(t.value)
		if len(with) != 2 || isOwnNamespace(with[0]) {
			continue
		}
		about := func(a atom) bool { return slices.Equal(a.at, with[0].steps) }
		for j, o := range terms {
			_, own := split(o.value)
			if len(own) != 2 || !isOwnNamespace(own[0]) || !slices.Equal(own[1].steps, with[1].steps) {
				continue
			}
			mine := slices.DeleteFunc(slices.Clone(t.conds), about)
			rest := slices.DeleteFunc(slices.Clone(o.conds), about)
			absent := slices.ContainsFunc(o.conds, func(a atom) bool { return about(a) && a.absent() })
			if absent && subset(mine, rest) && subset(rest, mine) {
				defaulted[identity(t.value)] = true
				dropped[j] = true
				terms[i].conds = mine
			}
		}
	}
	for i, t := range terms {
		if !dropped[i] {
			out = append(out, t)
		}
	}
	return defaulted, out
}

func isOwnNamespace(p *place) bool { return pathText(p.steps, nil) == ".metadata.namespace" }

// conditions sorts the conditions into those that the paths imply, filters and if=.
func (b *builder) conditions() error {
	inKey := map[int]bool{}
	for _, p := range b.places {
		for _, s := range p.steps {
			inKey[s.loop] = true
		}
	}
	matched := map[int]string{}
	byLoop := map[int][]string{}
	for _, a := range reduced(b.conds) {
		if a.op == noMatch {
			if err := b.none(a); err != nil {
				return err
			}
			continue
		}
		loop, from := 0, 0
		if i := lastLoop(a.at); i >= 0 {
			loop, from = a.at[i].loop, i+1
			if a.op == equals && !a.not && from < len(a.at) {
				matched[loop] = a.at[len(a.at)-1].name
			}
		}
		if b.implied(a) {
			continue
		}
		if loop > 0 && !inKey[loop] {
			return fmt.Errorf("a condition on some element of %s that the key does not come from", pathText(a.at[:from-1], nil))
		}
		if loop > 0 && from == len(a.at) {
			return fmt.Errorf("a condition on the elements of %s themselves", pathText(a.at[:from-1], nil))
		}
		at := ""
		if loop > 0 {
			at = "@"
		}
		text := b.condition(a, at+pathText(a.at[from:], nil))
		if loop == 0 {
			b.ifs = append(b.ifs, text)
		} else {
			byLoop[loop] = append(byLoop[loop], text)
		}
	}
	for loop, texts := range byLoop {
		b.filters[loop] = strings.Join(texts, " && ")
	}
	lists := map[string]int{}
	for _, p := range b.places {
		for i, s := range p.steps {
			if s.loop == 0 {
				continue
			}
			list := pathText(p.steps[:i], nil)
			if before := lists[list]; before != 0 && before != s.loop {
				return fmt.Errorf("pairs of elements of %s", list)
			}
			lists[list] = s.loop
			if at, first := b.first[s.loop]; first {
				if matched[s.loop] == "" {
					return fmt.Errorf("the first element of %s only, in the loop at %s", list, at)
				}
				b.ix.distinct = append(b.ix.distinct, p.steps[i-1].name+"."+matched[s.loop])
				b.note("of several elements of %s with one %s, the function takes the first", list, matched[s.loop])
			}
		}
	}
	return nil
}

// none checks a condition on whether a loop or a list that the function built has an element.
func (b *builder) none(a atom) error {
	if l := b.built[a.value]; l != nil && a.not {
		for _, it := range l.items {
			_, places := split(it.value)
			if slices.EqualFunc(places, b.places, func(x, y *place) bool { return slices.Equal(x.steps, y.steps) }) {
				return nil
			}
		}
	}
	return fmt.Errorf("a key that depends on there being no element that matches")
}

// implied reports whether the paths of the key imply a condition. It notes which places are not empty.
func (b *builder) implied(a atom) bool {
	if !a.present() || a.op == equals {
		return false
	}
	for _, p := range b.places {
		switch {
		case !slices.Equal(p.steps, a.at):
		case a.op == hasKey:
			b.keyed = true
			return true
		case a.op != isEmpty:
			return true
		case len(b.places) == 1, b.reference() && p == b.places[1]:
			b.nonempty[pathText(p.steps, nil)] = true
			return true
		}
	}
	return false
}

// condition returns a condition in the language of markers, on a value at a path.
func (b *builder) condition(a atom, path string) string {
	switch {
	case a.op == equals && a.value == "true" && a.not:
		return path + "==false"
	case a.op == equals && a.not:
		return path + "!=" + a.value
	case a.op == equals:
		return path + "==" + a.value
	}
	if a.op == hasKey || a.op == isNil && isString(deref(a.typ)) {
		b.ix.filled = true
		b.note("an empty %s counts as absent", pathText(a.at, nil))
	}
	if a.present() {
		return path
	}
	return "!" + path
}

func (b *builder) note(format string, args ...any) {
	if text := fmt.Sprintf(format, args...); !slices.Contains(b.ix.Notes, text) {
		b.ix.Notes = append(b.ix.Notes, text)
	}
}

// reference reports whether the key is the namespace and name of an object.
func (b *builder) reference() bool {
	return len(b.places) == 2 && strings.Join(b.ix.text[1:], "\x00") == "/\x00" && isString(deref(b.places[1].typ)) &&
		(b.defaulted || isOwnNamespace(b.places[0])) && pathText(b.places[1].steps, nil) != ".metadata.name"
}

// marker returns the marker, once the conditions are sorted.
func (b *builder) marker() string {
	path := func(p *place) string { return strings.TrimSuffix(pathText(p.steps, b.filters), "[*]") }
	options := ""
	if len(b.ifs) == 1 {
		options = ",if=" + b.ifs[0]
	} else if len(b.ifs) > 1 {
		options = ",if={" + strings.Join(b.ifs, ",") + "}"
	}
	last := b.places[len(b.places)-1]
	switch {
	case len(b.places) == 1:
		kind := "+index"
		if b.nonempty[pathText(last.steps, nil)] {
			options = ",omitempty=true" + options
		} else if s := last.steps[len(last.steps)-1]; s.key && !b.keyed {
			b.ix.named = true
			b.note("objects without %s are not indexed", path(last))
		}
		return fmt.Sprintf("%s:name=%s,path=%s%s", kind, b.ix.Name, path(last), options)
	case b.reference():
		b.ix.named = true
		if !b.nonempty[pathText(last.steps, nil)] {
			b.note("references with an empty name are not indexed")
		}
		if b.defaulted {
			b.ix.filled = true
			b.note("an empty %s counts as absent", pathText(b.places[0].steps, nil))
		}
		if struc, ok := b.refers(last); ok {
			return fmt.Sprintf("+index:ref:name=%s,path=%s%s", b.ix.Name, path(struc), options)
		}
		if b.defaulted {
			options = ",namespacePath=" + path(b.places[0]) + options
		}
		return fmt.Sprintf("+index:ref:name=%s,path=%s%s", b.ix.Name, path(last), options)
	}
	var paths []string
	for _, p := range b.places {
		paths = append(paths, path(p))
	}
	return fmt.Sprintf("+index:name=%s,paths={%s}%s", b.ix.Name, strings.Join(paths, ","), options)
}

// refers returns the struct that has a name, if it is a reference without a kind.
func (b *builder) refers(name *place) (*place, bool) {
	n := len(name.steps) - 1
	if n < 1 || name.steps[n].name != "name" {
		return nil, false
	}
	at := b.root.typ
	for _, s := range name.steps[:n] {
		at = below(at, s)
	}
	fields := jsonNames(at)
	if fields == nil || slices.Contains(fields, "kind") || slices.Contains(fields, "namespace") != b.defaulted {
		return nil, false
	}
	return &place{steps: name.steps[:n], typ: at}, true
}

// below returns the type of what a step leads to, or nil.
func below(t types.Type, s step) types.Type {
	if t == nil {
		return nil
	}
	switch u := deref(t).Underlying().(type) {
	case *types.Slice:
		return u.Elem()
	case *types.Array:
		return u.Elem()
	case *types.Map:
		return u.Elem()
	case *types.Struct:
		for i := range u.NumFields() {
			switch name, inline := jsonField(u, i); {
			case inline:
				if found := below(u.Field(i).Type(), s); found != nil {
					return found
				}
			case name == s.name:
				return u.Field(i).Type()
			}
		}
	}
	return nil
}

// jsonNames returns the JSON names of a struct's fields.
func jsonNames(t types.Type) (out []string) {
	if t == nil {
		return nil
	}
	s, _ := deref(t).Underlying().(*types.Struct)
	if s == nil {
		return nil
	}
	for i := range s.NumFields() {
		if name, inline := jsonField(s, i); inline {
			out = append(out, jsonNames(s.Field(i).Type())...)
		} else {
			out = append(out, name)
		}
	}
	return out
}
