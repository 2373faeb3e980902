// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package migrate

import (
	"fmt"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"github.com/indexer-gen/indexer-gen/generator/internal/fieldpath"
	"github.com/indexer-gen/indexer-gen/generator/internal/gotypes"
)

// An Index is an index of markers of one name.
type Index struct {
	Name    string   `json:"name"`    // the method's name after By
	Markers []string `json:"markers"` // several are a union
	// Notes say where the keys differ, and for which objects.
	Notes []string `json:"notes,omitempty"`

	text     []string // what the function puts before, between and after the parts of a key
	distinct []string // fields of which no two elements of a list have one value, as list.field
	filled   []string // fields, and keys of maps, that are not empty strings
	named    bool     // keys with an empty last part do not count
}

// A term is a key of an index function, and the conditions under which the function returns it.
type term struct {
	conds  []atom
	text   []string // before, between and after the places
	places []*place
	choice *choice // a place that has a default
	to     string  // the options to= and those that go with it
}

func newTerm(it item) (*term, error) {
	t := &term{conds: it.conds, text: []string{""}}
	for _, p := range partsOf(it.value) {
		if s, ok := stringOf(p); ok {
			t.text[len(t.text)-1] += s
			continue
		}
		if c, ok := p.(*choice); ok {
			t.choice, p = c, c.first
		}
		at, ok := p.(*place)
		if !ok {
			return nil, fmt.Errorf("a key that is %s", describe(p))
		}
		t.places, t.text = append(t.places, at), append(t.text, "")
	}
	if len(t.places) == 0 {
		return nil, fmt.Errorf("the key %q is a constant", t.text[0])
	}
	if t.choice != nil && !t.own() {
		_, isPlace := t.choice.otherwise.(*place)
		if !isPlace && !isConst(t.choice.otherwise) || len(t.places) > 1 {
			return nil, fmt.Errorf("a default for a part of a key, or of a default: %s", describe(t.choice))
		}
	}
	return t, nil
}

func (t *term) shape() string { return strings.Join(t.text, "\x00") }

func (t *term) last() *place { return t.places[len(t.places)-1] }

// marked returns the indexes for what a function returns.
func (e *evaluator) marked(name string, items []item) (out []*Index, why error) {
	groups := map[string][]*term{}
	var order []string
	for _, it := range needed(items) {
		t, err := newTerm(it)
		if err != nil {
			return nil, err
		}
		if groups[t.shape()] == nil {
			order = append(order, t.shape())
		}
		groups[t.shape()] = append(groups[t.shape()], t)
	}
	for _, shape := range order {
		ix := &Index{Name: name, text: groups[shape][0].text}
		if len(order) > 1 {
			ix.Name += exported(ix.text[0])
		}
		if i := slices.IndexFunc(out, func(o *Index) bool { return o.Name == ix.Name }); i >= 0 {
			return nil, fmt.Errorf("keys of the forms %q and %q in one index", strings.Join(out[i].text, "…"), strings.Join(ix.text, "…"))
		}
		if err := e.index(ix, targeted(groups[shape])); err != nil {
			return nil, err
		}
		out = append(out, ix)
	}
	return out, nil
}

// needed returns items without the conditions that the paths of their keys imply.
func needed(items []item) (out []item) {
	for _, it := range items {
		implied := func(a atom) bool {
			below := func(v value) bool { p, ok := v.(*place); return ok && under(p.steps, a.at) }
			listed := func(x item) bool { return same(x.value, it.value) && follow(x.conds, it.conds) }
			return a.present() && a.op != equals && slices.ContainsFunc(partsOf(it.value), below) ||
				a.list != nil && a.not && slices.ContainsFunc(a.list.items, listed)
		}
		out = append(out, item{slices.DeleteFunc(slices.Clone(it.conds), implied), it.value})
	}
	return simplified(out)
}

// index adds the markers of the terms of one form to ix.
func (e *evaluator) index(ix *Index, terms []*term) error {
	kinds := map[string]bool{}
	for _, t := range terms {
		b := &builder{evaluator: e, term: t, ix: ix, nonempty: map[string]bool{}}
		if err := b.conditions(); err != nil {
			return err
		}
		if b.namespaced {
			b.note("objects are expected to have a namespace")
		}
		kind, marker := b.marker()
		kinds[kind] = true
		if !slices.Contains(ix.Markers, marker) {
			ix.Markers = append(ix.Markers, marker)
		}
	}
	if len(kinds) > 1 {
		return fmt.Errorf("keys of several kinds in one index: %s", strings.Join(ix.Markers, " and "))
	}
	if canonical := "\x00" + strings.Repeat("/\x00", max(0, len(ix.text)-2)); terms[0].shape() != canonical {
		ix.Notes = append(ix.Notes, fmt.Sprintf("keys lose their text %q", strings.Join(ix.text, "…")))
	}
	return nil
}

// A builder makes the marker of one term.
type builder struct {
	*evaluator
	*term
	ix       *Index
	nonempty map[string]bool               // places in the key that the conditions say are not empty
	filters  map[int][]fieldpath.Condition // by the number of the loop; 0 is the object
	keyed    bool                          // the conditions say that the map has the key
}

func (b *builder) note(format string, args ...any) {
	if text := fmt.Sprintf(format, args...); !slices.Contains(b.ix.Notes, text) {
		b.ix.Notes = append(b.ix.Notes, text)
	}
}

// filled notes that an empty string counts as absent, and must not be in a random object.
func (b *builder) filled(p []step) {
	b.ix.filled = append(b.ix.filled, p[len(p)-1].name)
	b.note("an empty %s counts as absent", pathText(p))
}

func (b *builder) path(p *place) string {
	text := fieldPath(p.steps, b.filters).String()
	if p.parent != nil && p.parent.typ != nil {
		if _, isMap := p.parent.typ.Underlying().(*types.Map); isMap {
			return text
		}
	}
	return strings.TrimSuffix(text, "[*]")
}

// marker returns the marker, and its kind, once the conditions are sorted.
func (b *builder) marker() (kind, marker string) {
	options, last := "", b.last()
	var ifs []string
	for _, c := range b.filters[0] {
		ifs = append(ifs, c.Text(""))
	}
	if len(ifs) == 1 {
		options = ",if=" + ifs[0]
	} else if len(ifs) > 1 {
		options = ",if={" + strings.Join(ifs, ",") + "}"
	}
	named := fmt.Sprintf(":name=%s,path=", b.ix.Name)
	switch nonempty := b.nonempty[pathText(last.steps)]; {
	case b.choice != nil && !b.own():
		text, isConst := stringOf(b.choice.otherwise)
		if p, ok := b.choice.otherwise.(*place); ok {
			text = b.path(p)
		} else if isConst && gotypes.IsText(gotypes.Deref(last.typ)) {
			text = strconv.Quote(text)
		}
		if b.choice.weak {
			b.filled(last.steps)
		}
		return "+index", "+index" + named + b.path(last) + ",else=" + text + options
	case len(b.places) == 1:
		if nonempty {
			options = ",omitempty=true" + options
		} else if slices.ContainsFunc(last.steps, func(s step) bool { return s.key }) && !b.keyed {
			b.ix.named = true
			b.note("objects without %s are not indexed", b.path(last))
		}
		return "+index", "+index" + named + b.path(last) + options
	case b.reference():
		b.ix.named = true
		if !nonempty {
			b.note("references with an empty name are not indexed")
		}
		if b.own() {
			b.filled(b.places[0].steps)
		}
		if b.to != "" {
			if kind, _ := jsonField(last.holder().typ, "kind"); !isPointer(kind.Leaf().Type()) {
				b.filled(append(slices.Clone(last.holder().steps), step{name: "kind"}))
			}
		}
		if b.refers() {
			return "+index:ref" + b.to, "+index:ref" + named + b.path(last.holder()) + b.to + options
		}
		if b.own() {
			options = ",namespacePath=" + b.path(b.places[0]) + options
		}
		return "+index:ref", "+index:ref" + named + b.path(last) + options
	}
	var paths []string
	for _, p := range b.places {
		paths = append(paths, b.path(p))
	}
	return "paths", fmt.Sprintf("+index:name=%s,paths={%s}%s", b.ix.Name, strings.Join(paths, ","), options)
}
