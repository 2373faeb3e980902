// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package migrate

import (
	"fmt"
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
func (e *evaluator) marked(name string, terms []item) (out []*Index, why error) {
	groups := map[string][]item{}
	var order []string
	for _, t := range terms {
		text, places := split(t.value)
		if len(places) == 0 {
			return nil, fmt.Errorf("the key %s is a constant, or not text", describe(t.value))
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
		groups[shape] = append(groups[shape], item{slices.DeleteFunc(slices.Clone(t.conds), onTheWay), t.value})
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
			s, _ := stringOf(p)
			consts[len(consts)-1] += s
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

func (b *builder) note(format string, args ...any) {
	if text := fmt.Sprintf(format, args...); !slices.Contains(b.ix.Notes, text) {
		b.ix.Notes = append(b.ix.Notes, text)
	}
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
