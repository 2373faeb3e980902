// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package templates

import (
	"cmp"
	"strings"

	"github.com/indexer-gen/indexer-gen/templates/model"
)

// indexedValuesDoc says what an index function appends.
func indexedValuesDoc(t *model.Type, ix *model.Index) string {
	var all []string
	several := len(ix.Also) > 0
	for _, source := range ix.Sources() {
		switch {
		case source.Kind == model.Funcs && source.Several:
			all = append(all, "the values of "+userCallDoc(t, source))
		case source.Kind == model.Funcs:
			all = append(all, userCallDoc(t, source))
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
		return joinWithAnd(all)
	case ix.Kind == model.States:
		return ix.Parts[0].Literal + " (if " + joinedStateConditionsDoc(ix) + ")"
	case ix.Kind != model.Refs:
		return t.ObjectParam + "'s " + joinWithAnd(all)
	case several:
		return "the references" + referentDoc(ix) + " in " + t.ObjectParam + "'s " + joinWithAnd(all)
	}
	return "the reference" + referentDoc(ix) + " in " + t.ObjectParam + "'s " + joinWithAnd(all)
}

// referentDoc says what the references of an index refer to, if their kind is known.
func referentDoc(ix *model.Index) string {
	if ix.To.Kind == "" || ix.Open != nil {
		return ""
	}
	return " to " + withArticle(ix.To.String())
}

// userCallDoc writes a call of the user's function.
func userCallDoc(t *model.Type, ix *model.Index) string {
	return ix.Of.Name + "(" + t.ObjectParam + ")"
}

// kindAndVariableDoc writes the kind, or its plural, with a name for each object if the text that
// follows calls the user's function.
func kindAndVariableDoc(t *model.Type, ix *model.Index, kind string) string {
	if ix.Kind == model.Funcs {
		return kind + " " + t.ObjectParam
	}
	return kind
}

// queryCriterionDoc says which objects a query returns.
func (q methodPrinter) queryCriterionDoc() string {
	ix, first := q.index, q.index.Parts[0]
	if ix.KeyVar != "" {
		return "indexed under " + ix.KeyVar
	}
	switch ix.Kind {
	case model.Owners:
		return "with an owner reference to the object with this UID"
	case model.Controllers:
		return "controlled by the object with this UID"
	case model.States:
		return "that satisfy " + joinedStateConditionsDoc(ix)
	case model.Labels:
		return "whose label " + first.Param + " is " + ix.Parts[1].Param
	}
	var all []string
	for _, source := range ix.Sources() {
		all = append(all, q.sourceCriterionDoc(source)+source.OnlyIf())
	}
	return strings.Join(all, ", or ")
}

// joinedStateConditionsDoc writes the conditions of a state.
func joinedStateConditionsDoc(ix *model.Index) string {
	var all []string
	for _, source := range ix.Sources() {
		all = append(all, source.Conditions())
	}
	return strings.Join(all, ", or ")
}

// sourceCriterionDoc says which objects one source of an index adds to the result of a query.
func (q methodPrinter) sourceCriterionDoc(ix *model.Index) string {
	first, param := ix.Parts[0], q.index.Parts[0].Param
	switch {
	case ix.Kind == model.Refs:
		if q.index.Open != nil {
			param = "the object with " + param + " and " + q.index.Parts[1].Param
		} else if q.index.To.Kind != "" {
			param = "the " + q.index.To.String() + " " + param
		}
		return "whose " + first.Path + " refers to " + param + q.referentNamespaceDoc(ix)
	case ix.Kind == model.Funcs && ix.Several:
		return "for which " + userCallDoc(q.typ, ix) + " includes " + param
	case ix.Kind == model.Funcs:
		return "for which " + userCallDoc(q.typ, ix) + " is " + param
	}
	var clauses []string
	last := "" // the list that the previous clause is about
	for i, p := range ix.Parts {
		param := q.index.Parts[i].Param
		list, rest := p.List()
		if sharesFilterClause(ix.Parts, i, last) {
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
	return joinWithAnd(clauses)
}

// sharesFilterClause reports whether the i-th part is taken from the elements that a filter
// selects, and so is the part after it or the one before, whose clause is about last.
func sharesFilterClause(parts []*model.Part, i int, last string) bool {
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

// joinWithAnd writes several clauses as one: a, b and c.
func joinWithAnd(clauses []string) string {
	last := len(clauses) - 1
	if last < 1 {
		return strings.Join(clauses, "")
	}
	return strings.Join(clauses[:last], ", ") + " and " + clauses[last]
}

// referentNamespaceDoc says which namespace a reference points to.
func (q methodPrinter) referentNamespaceDoc(ix *model.Index) string {
	switch {
	case !q.index.To.Namespaced:
		return ""
	case ix.Split && q.typ.Namespaced:
		return ", in the same namespace or as namespace/name"
	case ix.Split:
		return ", as namespace/name"
	case ix.Namespace == nil && q.typ.Namespaced && q.index.To.AnyScope:
		return ", in the same namespace or in none"
	case ix.Namespace == nil && q.index.To.AnyScope:
		return ", in no namespace"
	case ix.Namespace == nil && q.typ.Namespaced:
		return ", in the same namespace"
	}
	unset := ""
	switch {
	case ix.DefaultNamespace != "":
		unset = " or, if unset, in " + ix.DefaultNamespace
	case q.typ.Namespaced:
		unset = " or, if unset, in the same namespace"
	}
	if q.index.To.AnyScope {
		unset = cmp.Or(unset, " or, if unset, in none")
		if q.typ.Namespaced || ix.DefaultNamespace != "" {
			unset += " or in none"
		}
	}
	return ", in " + relativePathDoc(ix.Namespace.Path, ix.Parts[0].Path) + unset
}

// relativePathDoc writes a path without what it shares with the path of the struct or the field that a comment names.
func relativePathDoc(path, named string) string {
	if rest, ok := strings.CutPrefix(path, named+"."); ok {
		return "its " + rest
	}
	parent := named[:strings.LastIndex(named, ".")+1]
	if rest, ok := strings.CutPrefix(path, parent); ok && parent != "." && !strings.ContainsAny(rest, ".[") {
		return "the " + rest + " beside it"
	}
	return path
}

// orderedValueDoc is what an ordered index orders by.
func orderedValueDoc(t *model.Type, ix *model.Index) string {
	switch {
	case ix.Kind == model.Funcs:
		return userCallDoc(t, ix)
	case ix.Composite():
		return ix.Key
	}
	path := ix.Parts[0].Path
	if list, _ := ix.Parts[0].List(); list == path && ix.Kind == model.Paths {
		return path + "[*]" // one element of the list at its end
	}
	return path
}

// orderEndsDoc names the two ends of the order of an index.
func orderEndsDoc(ix *model.Index) (lowest, highest string) {
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

// returnsDoc is the comment of a query that returns a slice.
func (q methodPrinter) returnsDoc(theOrAll string) string {
	return "returns " + theOrAll + " " + kindAndVariableDoc(q.typ, q.index, q.typ.Plural) + " " + q.queryCriterionDoc() + "."
}

// returnsFirstDoc is the comment of a query that returns one object.
func (q methodPrinter) returnsFirstDoc() string {
	return "returns the " + kindAndVariableDoc(q.typ, q.index, q.typ.Kind) + " " + q.queryCriterionDoc() +
		". Of several, it returns the first by " + objectKeyDoc(q.typ) + "."
}
