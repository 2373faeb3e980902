// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package templates

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/indexer-gen/indexer-gen/templates/model"
)

// handle prints the type of an index's handle.
func handle(t *model.Type, ix *model.Index) *jen.Statement {
	switch {
	case ix.Kind == model.Labels:
		return jen.Qual(model.Store, "Labels").Types(key(), object(t))
	case ix.Ordered && ix.Unique:
		return jen.Qual(model.Store, "UniqueOrdered").Types(key(), object(t), goType(ix.Value))
	case ix.Ordered:
		return jen.Qual(model.Store, "Ordered").Types(key(), object(t), goType(ix.Value))
	case ix.Unique:
		return jen.Qual(model.Store, "Unique").Types(key(), object(t), goType(ix.Value))
	}
	return jen.Qual(model.Store, "Index").Types(key(), object(t), goType(ix.Value))
}

// queries declares the methods that ask one index.
//
//	func (l DeviceLister) BySite(site string) iter.Seq[*Device] {
//		return l.indexes.BySite.Of(l.Reader(), site)
//	}
func queries(f *jen.File, t *model.Type, ix *model.Index) {
	q := query{f, t, ix}
	switch {
	case ix.Kind == model.Labels:
		q.declare(ix.Method, fmt.Sprintf("yields the %s %s.", t.Plural, q.condition(many)), q.values(), sequence(t),
			q.handle().Dot("Of").Call(q.reader(), jen.Id(ix.Parts[0].Param), jen.Id(ix.Parts[1].Param)))
	case ix.Unique:
		q.unique()
	default:
		q.declare(ix.Method, fmt.Sprintf("yields the %s %s.", t.Plural, q.condition(many)), q.values(), sequence(t),
			q.handle().Dot("Of").Call(q.reader(), q.value()))
	}
	if ix.Ordered {
		q.ordered()
	}
}

// query prints the methods of one index.
type query struct {
	f  *jen.File
	t  *model.Type
	ix *model.Index
}

// unique declares what a unique index answers.
//
//	func (l DeviceLister) BySerial(serial string) (*Device, bool) {
//		return l.indexes.BySerial.Get(l.Reader(), serial)
//	}
func (q query) unique() {
	ix, t := q.ix, q.t
	q.declare(ix.Method, fmt.Sprintf("returns the %s %s. One is expected; of several it is that with the lowest %s.", t.Kind, q.condition(one), tie(t)),
		q.values(), jen.Params(object(t), jen.Bool()), q.handle().Dot("Get").Call(q.reader(), q.value()))
	q.declare(ix.All, fmt.Sprintf("yields all %s %s.", t.Plural, q.condition(many)), q.values(), sequence(t),
		q.handle().Dot("Of").Call(q.reader(), q.value()))
	q.declare(ix.Conflicts, fmt.Sprintf("yields each value for which %s has several %s to choose from, and how many.", ix.Method, t.Plural), nil,
		jen.Qual(model.Iter, "Seq2").Types(goType(ix.Value), jen.Int()), q.handle().Dot("Conflicts").Call(q.reader()))
}

// ordered declares what an ordered index answers besides.
//
//	func (l DeviceLister) ByLevelFrom(from Level) iter.Seq[*Device] {
//		return l.indexes.ByLevel.Ascend(l.Reader(), store.AtLeast(from))
//	}
func (q query) ordered() {
	ix, t := q.ix, q.t
	from, to := ix.Bounds[0], ix.Bounds[1]
	several := ""
	bound, low, high := goType(ix.Value), jen.Id(from), jen.Id(to)
	if !ix.Composite() {
		bound, low, high = goType(ix.Parts[0].Asked()), asked(ix.Parts[0], from), asked(ix.Parts[0], to)
	}
	for _, p := range ix.Parts {
		if ix.Kind == model.Funcs && ix.Several || ix.Kind != model.Funcs && p.Multi() {
			several = fmt.Sprintf(" A%s that has several such values comes once for each.", strings.TrimPrefix(article(t.Kind), "a"))
		}
	}
	w := orderWords(ix)
	q.declare(ix.Range, fmt.Sprintf("yields the %s %s, the %s first.%s", t.Plural, w.within(ix, w.from+" "+from+" and "+w.to+" "+to), w.min, several),
		[]jen.Code{jen.Id(from), jen.Id(to).Add(bound)}, sequence(t),
		q.handle().Dot("Ascend").Call(q.reader(), jen.Qual(model.Store, "Between").Call(low.Clone(), high)))
	q.declare(ix.From, fmt.Sprintf("yields the %s %s, the %s first.%s", t.Plural, w.within(ix, w.from+" "+from), w.min, several),
		[]jen.Code{jen.Id(from).Add(bound.Clone())}, sequence(t),
		q.handle().Dot("Ascend").Call(q.reader(), jen.Qual(model.Store, "AtLeast").Call(low)))
	for _, end := range [][2]string{{ix.Min, w.min}, {ix.Max, w.max}} {
		q.declare(end[0], fmt.Sprintf("returns the %s %s, if there is one; of several it is that with the lowest %s.", t.Kind, w.at(ix, end[1]), tie(t)),
			nil, jen.Params(object(t), jen.Bool()), q.handle().Dot(end[0][:3]).Call(q.reader()))
	}
}

// tie is what decides between objects with one value: the keys of objects, which are
// not those of the index.
func tie(t *model.Type) string {
	if t.Namespaced {
		return "namespace and name"
	}
	return "name"
}

func (q query) declare(name, text string, params []jen.Code, result, answer *jen.Statement) {
	declare(q.f, name+" "+text,
		jen.Func().Params(jen.Id(q.t.ListerRecv).Id(q.t.Lister)).Id(name).Params(params...).Add(result).Block(jen.Return(answer)))
}

func (q query) handle() *jen.Statement {
	return jen.Id(q.t.ListerRecv).Dot("indexes").Dot(q.ix.Method)
}

func (q query) reader() *jen.Statement { return jen.Id(q.t.ListerRecv).Dot("Reader").Call() }

// values prints the parameters that make a value of the index.
func (q query) values() []jen.Code {
	var out []jen.Code
	for i, p := range q.ix.Parts {
		param := jen.Id(p.Param)
		if i+1 == len(q.ix.Parts) || !reflect.DeepEqual(p.Asked(), q.ix.Parts[i+1].Asked()) {
			param = param.Add(goType(p.Asked())) // otherwise the next one names the type of both
		}
		out = append(out, param)
	}
	return out
}

// value prints the value of the index that the parameters make.
func (q query) value() *jen.Statement {
	if !q.ix.Composite() {
		return asked(q.ix.Parts[0], q.ix.Parts[0].Param)
	}
	return goType(q.ix.Value).ValuesFunc(func(g *jen.Group) {
		for _, p := range q.ix.Parts {
			g.Id(p.Field).Op(":").Add(asked(p, p.Param))
		}
	})
}

// number is how many objects a clause is about.
type number struct{ have, their string }

var (
	many = number{"have", "their"}
	one  = number{"has", "its"}
)

// condition says in words which objects a query yields.
func (q query) condition(n number) string {
	ix := q.ix
	switch ix.Kind {
	case model.Owners:
		return "that " + n.have + " an owner reference with the UID " + ix.Parts[0].Param
	case model.Controllers:
		return "whose controlling owner reference has the UID " + ix.Parts[0].Param
	case model.Refs:
		return fmt.Sprintf("whose %s refers to %s", ix.Parts[0].Path, ix.Parts[0].Param) + q.namespaceOf(n)
	case model.Funcs:
		if ix.Several {
			return "for which " + ix.Of.Name + " returns " + ix.Parts[0].Param + " among others"
		}
		return "for which " + ix.Of.Name + " returns " + ix.Parts[0].Param
	case model.Labels:
		return "whose label " + ix.Parts[0].Param + " is " + ix.Parts[1].Param
	}
	var clauses []string
	last := "" // the list that the clause before is about
	for i, p := range ix.Parts {
		list, rest := p.List()
		if sharesFilter(ix.Parts, i, last) {
			list, rest = p.Filter()
		}
		switch {
		case list == "":
			clauses = append(clauses, "whose "+p.Path+" is "+p.Param)
		case rest == "":
			clauses = append(clauses, "that "+n.have+" "+p.Param+" among "+n.their+" "+list)
		case list == last:
			clauses = append(clauses, rest+" is "+p.Param)
		default:
			clauses = append(clauses, "that "+n.have+" one of "+list+" whose "+rest+" is "+p.Param)
		}
		last = list
	}
	return enumerated(clauses)
}

// sharesFilter reports whether the i-th part is of the elements that a filter lets through,
// and so is the part after it or the one before, whose clause is about last.
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

// namespaceOf says which namespace a reference is to.
func (q query) namespaceOf(n number) string {
	own, short := "in "+n.their+" own namespace", "in "+n.their+" own"
	if !q.t.Namespaced {
		own = "in no namespace"
		short = own
	}
	if q.ix.Namespace == nil {
		return ", " + own
	}
	return fmt.Sprintf(", in the namespace that %s names or, if it names none, %s", q.ix.Namespace.Path, short)
}
