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
	if ix.Kind == model.Labels {
		return jen.Qual(model.Lister, "Labels").Types(object(t))
	}
	name := "Index"
	switch {
	case ix.Ordered && ix.Unique:
		name = "UniqueOrdered"
	case ix.Ordered:
		name = "Ordered"
	case ix.Unique:
		name = "Unique"
	}
	return jen.Qual(model.Lister, name).Types(object(t), goType(ix.Value))
}

// queries declares the methods that query one index.
//
//	func (l DeviceLister) BySite(site string) iter.Seq[*Device] {
//		return l.indexes.BySite.Get(l.Reader(), site)
//	}
func queries(f *jen.File, p *model.Package, t *model.Type, ix *model.Index) {
	q := query{f, p, t, ix}
	switch {
	case ix.Kind == model.Labels:
		q.declare(ix.Method, q.yields("the"), q.values(), sequence(t),
			q.handle().Dot("Get").Call(q.reader(), jen.Id(ix.Parts[0].Param), jen.Id(ix.Parts[1].Param)))
	case ix.Unique:
		q.unique()
	default:
		q.declare(ix.Method, q.yields("the"), q.values(), sequence(t),
			q.handle().Dot("Get").Call(q.reader(), q.value()))
	}
	if ix.Ordered {
		q.ordered()
	}
}

// query prints the methods of one index.
type query struct {
	f  *jen.File
	p  *model.Package
	t  *model.Type
	ix *model.Index
}

// unique declares the methods of a unique index.
//
//	func (l DeviceLister) BySerial(serial string) (*Device, bool) {
//		return l.indexes.BySerial.Get(l.Reader(), serial)
//	}
func (q query) unique() {
	ix, t := q.ix, q.t
	q.declare(ix.Method,
		fmt.Sprintf(
			"returns the %s %s. Of several, it returns the first by %s.",
			objects(t, ix, t.Kind), q.condition(), objectKey(t)),
		q.values(), jen.Params(object(t), jen.Bool()), q.handle().Dot("Get").Call(q.reader(), q.value()))
	q.declare(ix.All, q.yields("all"), q.values(), sequence(t),
		q.handle().Dot("All").Call(q.reader(), q.value()))
	q.declare(ix.Conflicts, fmt.Sprintf("yields each value that several %s have, and how many.", t.Plural),
		nil,
		jen.Qual(model.Iter, "Seq2").Types(goType(ix.Value), jen.Int()),
		q.handle().Dot("Conflicts").Call(q.reader()))
}

// ordered declares the range and extreme methods of an ordered index.
//
//	func (l DeviceLister) ByLevelFrom(from Level) iter.Seq[*Device] {
//		return l.indexes.ByLevel.Ascend(l.Reader(), store.AtLeast(from))
//	}
func (q query) ordered() {
	ix, t := q.ix, q.t
	from, to := ix.Bounds[0], ix.Bounds[1]
	bound, low, high := goType(ix.Value), jen.Id(from), jen.Id(to)
	if !ix.Composite() {
		bound, low, high = goType(ix.Parts[0].QueryType()), queryKey(ix.Parts[0], from),
			queryKey(ix.Parts[0], to)
	}
	by, several := ordered(t, ix), ""
	for _, p := range ix.Parts {
		if ix.Kind == model.Funcs && ix.Several || ix.Kind != model.Funcs && p.Multi() {
			several = fmt.Sprintf(
				" A%s with several such values comes once for each.",
				strings.TrimPrefix(article(t.Kind), "a"))
		}
	}
	yields := "yields the " + objects(t, ix, t.Plural) + " with %s, in ascending order." + several
	q.declare(ix.Range, fmt.Sprintf(yields, from+" <= "+by+" < "+to),
		[]jen.Code{jen.Id(from), jen.Id(to).Add(bound)}, sequence(t),
		q.handle().Dot("Ascend").Call(q.reader(), jen.Qual(model.Store, "Between").Call(low.Clone(), high)))
	q.declare(ix.From, fmt.Sprintf(yields, by+" >= "+from),
		[]jen.Code{jen.Id(from).Add(bound.Clone())}, sequence(t),
		q.handle().Dot("Ascend").Call(q.reader(), jen.Qual(model.Store, "AtLeast").Call(low)))
	lowest, highest := ends(ix)
	for _, end := range []struct{ method, name, call string }{{ix.Min, lowest, "Min"},
		{ix.Max, highest, "Max"}} {
		q.declare(end.method,
			fmt.Sprintf("returns the %s with the %s %s, if there is one.", objects(t, ix, t.Kind), end.name,
				by),
			nil, jen.Params(object(t), jen.Bool()), q.handle().Dot(end.call).Call(q.reader()))
	}
}

// objectKey returns the words for the key of objects. Objects with the same value are ordered by it.
func objectKey(t *model.Type) string {
	if t.Namespaced {
		return "namespace and name"
	}
	return "name"
}

// yields returns the comment of a query without an order.
func (q query) yields(which string) string {
	return fmt.Sprintf("yields %s %s %s.", which, objects(q.t, q.ix, q.t.Plural), q.condition())
}

func (q query) declare(name, text string, params []jen.Code, result, answer *jen.Statement) {
	declare(q.f, name+" "+text,
		signature(q.f, jen.Func().Params(jen.Id(q.t.ListerRecv).Id(q.t.Lister)).Id(name), params, result).Block(
			jen.Return(answer)))
}

func (q query) handle() *jen.Statement {
	return jen.Id(q.t.ListerRecv).Dot("indexes").Dot(q.ix.Method)
}

func (q query) reader() *jen.Statement { return jen.Id(q.t.ListerRecv).Dot("Reader").Call() }

// values prints the parameters of a query: its key struct, or one parameter for each part.
func (q query) values() []jen.Code {
	if q.ix.KeyVar != "" {
		return []jen.Code{jen.Id(q.ix.KeyVar).Add(goType(q.ix.Value))}
	}
	var out []jen.Code
	for i, p := range q.ix.Parts {
		param := jen.Id(p.Param)
		if i+1 == len(q.ix.Parts) || !reflect.DeepEqual(p.QueryType(), q.ix.Parts[i+1].QueryType()) {
			param = param.Add(goType(p.QueryType())) // otherwise the next parameter states the type
		}
		out = append(out, param)
	}
	return out
}

// value prints the index value as an expression of the parameters.
func (q query) value() *jen.Statement {
	switch {
	case q.ix.KeyVar != "":
		return jen.Id(q.ix.KeyVar)
	case !q.ix.Composite():
		return queryKey(q.ix.Parts[0], q.ix.Parts[0].Param)
	}
	var parts []jen.Code
	for _, p := range q.ix.Parts {
		parts = append(parts, jen.Id(p.Field), queryKey(p, p.Param))
	}
	return literal(goType(q.ix.Value), parts...)
}
