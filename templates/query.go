// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package templates

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/indexer-gen/indexer-gen/templates/model"
)

// queries declares the methods that query one index.
//
//	func (l DeviceLister) BySite(site string) iter.Seq[*Device] {
//		return l.indexes.BySite.Get(l.Reader(), site)
//	}
func queries(f *file, t *model.Type, ix *model.Index) {
	q := query{f, t, ix}
	switch {
	case ix.Kind == model.Labels:
		q.declare(ix.Method, q.yields("the"), q.values(), sequence(t),
			q.call("Get", ix.Parts[0].Param, ix.Parts[1].Param))
	case ix.Unique:
		q.unique()
	case ix.Kind == model.States:
		q.declare(ix.Method, q.yields("the"), nil, sequence(t), q.call("Get"))
		q.declare(ix.Count, fmt.Sprintf("returns the number of %s that %s yields.", t.Plural, ix.Method), nil, "int",
			q.call("Count"))
	default:
		q.declare(ix.Method, q.yields("the"), q.values(), sequence(t), q.call("Get", q.value()))
	}
	if ix.Ordered {
		q.ordered()
	}
}

// query prints the methods of one index.
type query struct {
	f  *file
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
	q.declare(ix.Method, q.returnsFirst(), q.values(), "("+object(t)+", bool)", q.call("Get", q.value()))
	q.declare(ix.All, q.yields("all"), q.values(), sequence(t), q.call("All", q.value()))
	q.declare(ix.Conflicts, fmt.Sprintf("yields each value that several %s have, and how many.", t.Plural),
		nil, "«iter».Seq2["+goType(ix.Value)+", int]", q.call("Conflicts"))
}

// ordered declares the range and extreme methods of an ordered index.
//
//	func (l DeviceLister) ByLevelFrom(from Level) iter.Seq[*Device] {
//		return l.indexes.ByLevel.Ascend(l.Reader(), store.AtLeast(from))
//	}
func (q query) ordered() {
	ix, t := q.ix, q.t
	from, to := ix.Bounds[0], ix.Bounds[1]
	bound, low, high := goType(ix.Value), from, to
	if !ix.Composite() {
		bound, low, high = goType(ix.Parts[0].QueryType()), queryKey(ix.Parts[0], from), queryKey(ix.Parts[0], to)
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
	q.declare(ix.Range, fmt.Sprintf(yields, from+" <= "+by+" < "+to), []string{from + ", " + to + " " + bound},
		sequence(t), q.call("Ascend", "«store».Between("+low+", "+high+")"))
	q.declare(ix.From, fmt.Sprintf(yields, by+" >= "+from), []string{from + " " + bound},
		sequence(t), q.call("Ascend", "«store».AtLeast("+low+")"))
	lowest, highest := ends(ix)
	for _, end := range [][3]string{{ix.Min, lowest, "Min"}, {ix.Max, highest, "Max"}} {
		q.declare(end[0],
			fmt.Sprintf("returns the %s with the %s %s, if there is one.", objects(t, ix, t.Kind), end[1], by),
			nil, "("+object(t)+", bool)", q.call(end[2]))
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

// declare declares a method that returns answer.
func (q query) declare(name, text string, params []string, result, answer string) {
	signature := name + "(" + strings.Join(params, ", ") + ") " + result
	q.f.methods[q.t.Lister+"."+name] = Method{q.f.resolved(signature, map[string]string{}), name + " " + text}
	head := "func (" + q.t.ListerRecv + " " + q.t.Lister + ") " + name
	q.f.function(name+" "+text, head, params, result, "return "+answer)
}

// call prints the call of a method of the index's handle.
func (q query) call(method string, args ...string) string {
	args = append([]string{q.t.ListerRecv + ".Reader()"}, args...)
	return q.t.ListerRecv + ".indexes." + q.ix.Method + "." + method + "(" + strings.Join(args, ", ") + ")"
}

// values prints the parameters of a query: its key struct, or one parameter for each part.
func (q query) values() []string {
	if q.ix.KeyVar != "" {
		return []string{q.ix.KeyVar + " " + goType(q.ix.Value)}
	}
	if q.ix.Kind == model.States {
		return nil
	}
	var out []string
	for i, p := range q.ix.Parts {
		param := p.Param
		if i+1 == len(q.ix.Parts) || !reflect.DeepEqual(p.QueryType(), q.ix.Parts[i+1].QueryType()) {
			param += " " + goType(p.QueryType()) // otherwise the next parameter states the type
		}
		out = append(out, param)
	}
	return out
}

// value prints the index value as an expression of the parameters.
func (q query) value() string {
	switch {
	case q.ix.KeyVar != "":
		return q.ix.KeyVar
	case !q.ix.Composite():
		return queryKey(q.ix.Parts[0], q.ix.Parts[0].Param)
	}
	var parts []string
	for _, p := range q.ix.Parts {
		parts = append(parts, p.Field, queryKey(p, p.Param))
	}
	return literal(goType(q.ix.Value), parts...)
}
