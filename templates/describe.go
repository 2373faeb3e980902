// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package templates

import (
	"strings"

	"github.com/indexer-gen/indexer-gen/templates/model"
)

// values says what an index function appends.
func values(t *model.Type, ix *model.Index) string {
	switch {
	case ix.Kind == model.Funcs && ix.Several:
		return "the values of " + call(t, ix)
	case ix.Kind == model.Funcs:
		return call(t, ix)
	}
	var paths []string
	for _, p := range ix.Parts {
		paths = append(paths, p.Path)
	}
	of := t.ObjectParam + "'s " + enumerated(paths)
	if ix.Kind == model.Refs {
		if ix.Parts[0].Multi() {
			return "the references in " + of
		}
		return "the reference in " + of
	}
	return of
}

// call writes a call of the user's function.
func call(t *model.Type, ix *model.Index) string { return ix.Of.Name + "(" + t.ObjectParam + ")" }

// objects writes the kind, or its plural, with a name for each object if the text that
// follows calls the user's function.
func objects(t *model.Type, ix *model.Index, kind string) string {
	if ix.Kind == model.Funcs {
		return kind + " " + t.ObjectParam
	}
	return kind
}

// condition says which objects a query returns.
func (q query) condition() string {
	ix, first := q.ix, q.ix.Parts[0]
	if ix.KeyVar != "" {
		return "indexed under " + ix.KeyVar
	}
	switch ix.Kind {
	case model.Owners:
		return "with an owner reference to the object with this UID"
	case model.Controllers:
		return "controlled by the object with this UID"
	case model.Refs:
		return "whose " + first.Path + " refers to " + first.Param + q.namespaceOf()
	case model.Funcs:
		if ix.Several {
			return "for which " + call(q.t, ix) + " includes " + first.Param
		}
		return "for which " + call(q.t, ix) + " is " + first.Param
	case model.Labels:
		return "whose label " + first.Param + " is " + ix.Parts[1].Param
	}
	var clauses []string
	last := "" // the list that the previous clause is about
	for i, p := range ix.Parts {
		list, rest := p.List()
		if sharesFilter(ix.Parts, i, last) {
			list, rest = p.Filter()
		}
		whose := "whose "
		if i > 0 && last == "" {
			whose = ""
		}
		switch {
		case list == "":
			clauses = append(clauses, whose+p.Path+" is "+p.Param)
		case rest == "":
			clauses = append(clauses, whose+list+" includes "+p.Param)
			list = ""
		case list == last:
			clauses = append(clauses, rest+" is "+p.Param)
		default:
			clauses = append(clauses, "with an element of "+list+" whose "+rest+" is "+p.Param)
		}
		last = list
	}
	return enumerated(clauses)
}

// sharesFilter reports whether the i-th part is taken from the elements that a filter
// selects, and so is the part after it or the one before, whose clause is about last.
func sharesFilter(parts []*model.Part, i int, last string) bool {
	list, _ := parts[i].Filter()
	if list == "" || list == last {
		return list != ""
	}
	if i+1 == len(parts) {
		return false
	}
	next, _ := parts[i+1].Filter()
	return next == list
}

// enumerated writes several clauses as one: a, b and c.
func enumerated(clauses []string) string {
	last := len(clauses) - 1
	if last < 1 {
		return strings.Join(clauses, "")
	}
	return strings.Join(clauses[:last], ", ") + " and " + clauses[last]
}

// namespaceOf says which namespace a reference points to.
func (q query) namespaceOf() string {
	switch {
	case q.ix.Namespace == nil && q.t.Namespaced:
		return ", in the same namespace"
	case q.ix.Namespace == nil:
		return ", in no namespace"
	case q.t.Namespaced:
		return ", in " + q.ix.Namespace.Path + " or, if unset, in the same namespace"
	}
	return ", in " + q.ix.Namespace.Path + " or, if unset, in no namespace"
}

// ordered is what an ordered index orders by.
func ordered(t *model.Type, ix *model.Index) string {
	switch {
	case ix.Kind == model.Funcs:
		return call(t, ix)
	case ix.Composite():
		return ix.Key
	}
	path := ix.Parts[0].Path
	if list, _ := ix.Parts[0].List(); list == path && ix.Kind == model.Paths {
		return path + "[*]" // one element of the list at its end
	}
	return path
}

// ends names the two ends of the order of an index.
func ends(ix *model.Index) (lowest, highest string) {
	if !ix.Composite() {
		switch ix.Parts[0].QueryType().Ident {
		case model.Ident{Path: model.Time, Name: "Time"}:
			return "earliest", "latest"
		case model.Ident{Path: model.Time, Name: "Duration"}:
			return "shortest", "longest"
		}
	}
	return "lowest", "highest"
}
