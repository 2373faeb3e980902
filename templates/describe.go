// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package templates

import (
	"cmp"
	"strings"

	"github.com/indexer-gen/indexer-gen/templates/model"
)

// values says what an index function appends.
func values(t *model.Type, ix *model.Index) string {
	var all []string
	several := len(ix.Also) > 0
	for _, source := range ix.Sources() {
		switch {
		case source.Kind == model.Funcs && source.Several:
			all = append(all, "the values of "+call(t, source))
		case source.Kind == model.Funcs:
			all = append(all, call(t, source))
		default:
			for i, p := range source.Parts {
				if source.Open == nil || i > 0 {
					all = append(all, p.Path)
				}
			}
			all[len(all)-1] += source.OnlyIf()
		}
		several = several || source.Parts[0].Multi()
	}
	switch {
	case ix.Kind == model.Funcs:
		return enumerated(all)
	case ix.Kind == model.States:
		return ix.Parts[0].Literal + " (if " + satisfied(ix) + ")"
	case ix.Kind != model.Refs:
		return t.ObjectParam + "'s " + enumerated(all)
	case several:
		return "the references" + to(ix) + " in " + t.ObjectParam + "'s " + enumerated(all)
	}
	return "the reference" + to(ix) + " in " + t.ObjectParam + "'s " + enumerated(all)
}

// to says what the references of an index refer to, if their kind is known.
func to(ix *model.Index) string {
	if ix.To.Kind == "" || ix.Open != nil {
		return ""
	}
	return " to " + article(ix.To.String())
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
	case model.States:
		return "that satisfy " + satisfied(ix)
	case model.Labels:
		return "whose label " + first.Param + " is " + ix.Parts[1].Param
	}
	var all []string
	for _, source := range ix.Sources() {
		all = append(all, q.conditionOf(source)+source.OnlyIf())
	}
	return strings.Join(all, ", or ")
}

// satisfied writes the conditions of a state.
func satisfied(ix *model.Index) string {
	var all []string
	for _, source := range ix.Sources() {
		all = append(all, source.Conditions())
	}
	return strings.Join(all, ", or ")
}

// conditionOf says which objects one source of an index adds to the result of a query.
func (q query) conditionOf(ix *model.Index) string {
	first, param := ix.Parts[0], q.ix.Parts[0].Param
	switch {
	case ix.Kind == model.Refs:
		if q.ix.Open != nil {
			param = "the object with " + param + " and " + q.ix.Parts[1].Param
		} else if q.ix.To.Kind != "" {
			param = "the " + q.ix.To.String() + " " + param
		}
		return "whose " + first.Path + " refers to " + param + q.namespaceOf(ix)
	case ix.Kind == model.Funcs && ix.Several:
		return "for which " + call(q.t, ix) + " includes " + param
	case ix.Kind == model.Funcs:
		return "for which " + call(q.t, ix) + " is " + param
	}
	var clauses []string
	last := "" // the list that the previous clause is about
	for i, p := range ix.Parts {
		param := q.ix.Parts[i].Param
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
			clauses = append(clauses, whose+p.Path+" is "+param)
		case rest == "":
			clauses = append(clauses, whose+list+" includes "+param)
			list = ""
		case list == last:
			clauses = append(clauses, rest+" is "+param)
		default:
			clauses = append(clauses, "with an element of "+list+" whose "+rest+" is "+param)
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
func (q query) namespaceOf(ix *model.Index) string {
	switch {
	case !q.ix.To.Namespaced:
		return ""
	case ix.Split && q.t.Namespaced:
		return ", in the same namespace or as namespace/name"
	case ix.Split:
		return ", as namespace/name"
	case ix.Namespace == nil && q.t.Namespaced && q.ix.To.AnyScope:
		return ", in the same namespace or in none"
	case ix.Namespace == nil && q.ix.To.AnyScope:
		return ", in no namespace"
	case ix.Namespace == nil && q.t.Namespaced:
		return ", in the same namespace"
	}
	unset := ""
	switch {
	case ix.DefaultNamespace != "":
		unset = " or, if unset, in " + ix.DefaultNamespace
	case q.t.Namespaced:
		unset = " or, if unset, in the same namespace"
	}
	if q.ix.To.AnyScope {
		unset = cmp.Or(unset, " or, if unset, in none")
		if q.t.Namespaced || ix.DefaultNamespace != "" {
			unset += " or in none"
		}
	}
	return ", in " + beside(ix.Namespace.Path, ix.Parts[0].Path) + unset
}

// beside writes a path without what it shares with the path of the struct or the field that a comment names.
func beside(path, named string) string {
	if rest, ok := strings.CutPrefix(path, named+"."); ok {
		return "its " + rest
	}
	parent := named[:strings.LastIndex(named, ".")+1]
	if rest, ok := strings.CutPrefix(path, parent); ok && parent != "." && !strings.ContainsAny(rest, ".[") {
		return "the " + rest + " beside it"
	}
	return path
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

// returns is the comment of a query that returns a slice.
func (q query) returns(which string) string {
	return "returns " + which + " " + objects(q.t, q.ix, q.t.Plural) + " " + q.condition() + "."
}

// returnsFirst is the comment of a query that returns one object.
func (q query) returnsFirst() string {
	return "returns the " + objects(q.t, q.ix, q.t.Kind) + " " + q.condition() +
		". Of several, it returns the first by " + objectKey(q.t) + "."
}
