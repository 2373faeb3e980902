// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package templates

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/indexer-gen/indexer-gen/templates/model"
)

// declareNativeQueryMethods declares the methods that query one index.
//
//	func (l DeviceLister) BySite(site string) iter.Seq[*Device] {
//		return l.indexes.BySite.Get(l.Reader(), site)
//	}
func declareNativeQueryMethods(f *file, t *model.Type, ix *model.Index) {
	q := methodPrinter{f, t, ix}
	switch {
	case ix.Kind == model.Labels:
		q.declareMethod(ix.Method, q.yieldsDoc("the"), q.keyOrPartParameters(), sequenceType(t),
			q.handleCallWithReaderExpr("Get", ix.Parts[0].Param, ix.Parts[1].Param))
	case ix.Unique:
		q.declareUniqueMethods()
	case ix.Kind == model.States:
		q.declareMethod(ix.Method, q.yieldsDoc("the"), nil, sequenceType(t), q.handleCallWithReaderExpr("Get"))
		q.declareMethod(ix.Count, fmt.Sprintf("returns the number of %s that %s yields.", t.Plural, ix.Method), nil, "int",
			q.handleCallWithReaderExpr("Count"))
	default:
		q.declareMethod(ix.Method, q.yieldsDoc("the"), q.keyOrPartParameters(), sequenceType(t), q.handleCallWithReaderExpr("Get", q.valueExpr()))
	}
	if ix.Ordered {
		q.declareRangeMinMaxMethods()
	}
}

// methodPrinter prints the methods of one index.
type methodPrinter struct {
	file  *file
	typ   *model.Type
	index *model.Index
}

// declareUniqueMethods declares the methods of a unique index.
//
//	func (l DeviceLister) BySerial(serial string) (*Device, bool) {
//		return l.indexes.BySerial.Get(l.Reader(), serial)
//	}
func (q methodPrinter) declareUniqueMethods() {
	ix, t := q.index, q.typ
	q.declareMethod(ix.Method, q.returnsFirstDoc(), q.keyOrPartParameters(), "("+objectType(t)+", bool)", q.handleCallWithReaderExpr("Get", q.valueExpr()))
	q.declareMethod(ix.All, q.yieldsDoc("all"), q.keyOrPartParameters(), sequenceType(t), q.handleCallWithReaderExpr("All", q.valueExpr()))
	q.declareMethod(ix.Conflicts, fmt.Sprintf("yields each value that several %s have, and how many.", t.Plural),
		nil, "«iter».Seq2["+goType(ix.Value)+", int]", q.handleCallWithReaderExpr("Conflicts"))
}

// declareRangeMinMaxMethods declares the range and extreme methods of an ordered index.
//
//	func (l DeviceLister) ByLevelFrom(from Level) iter.Seq[*Device] {
//		return l.indexes.ByLevel.Ascend(l.Reader(), store.AtLeast(from))
//	}
func (q methodPrinter) declareRangeMinMaxMethods() {
	ix, t := q.index, q.typ
	from, to := ix.Bounds[0], ix.Bounds[1]
	bound, low, high := goType(ix.Value), from, to
	if !ix.Composite() {
		bound, low, high = goType(ix.Parts[0].QueryType()), convertedKeyExpr(ix.Parts[0], from), convertedKeyExpr(ix.Parts[0], to)
	}
	by, several := orderedValueDoc(t, ix), ""
	for _, p := range ix.Parts {
		if ix.Kind == model.Funcs && ix.Several || ix.Kind != model.Funcs && p.Multi() {
			several = fmt.Sprintf(
				" A%s with several such values comes once for each.",
				strings.TrimPrefix(withArticle(t.Kind), "a"))
		}
	}
	yields := "yields the " + kindAndVariableDoc(t, ix, t.Plural) + " with %s, in ascending order." + several
	q.declareMethod(ix.Range, fmt.Sprintf(yields, from+" <= "+by+" < "+to), []string{from + ", " + to + " " + bound},
		sequenceType(t), q.handleCallWithReaderExpr("Ascend", "«store».Between("+low+", "+high+")"))
	q.declareMethod(ix.From, fmt.Sprintf(yields, by+" >= "+from), []string{from + " " + bound},
		sequenceType(t), q.handleCallWithReaderExpr("Ascend", "«store».AtLeast("+low+")"))
	lowest, highest := orderEndsDoc(ix)
	for _, end := range [][3]string{{ix.Min, lowest, "Min"}, {ix.Max, highest, "Max"}} {
		q.declareMethod(end[0],
			fmt.Sprintf("returns the %s with the %s %s, if there is one.", kindAndVariableDoc(t, ix, t.Kind), end[1], by),
			nil, "("+objectType(t)+", bool)", q.handleCallWithReaderExpr(end[2]))
	}
}

// objectKeyDoc returns the words for the key of objects. Objects with the same value are ordered by it.
func objectKeyDoc(t *model.Type) string {
	if t.Namespaced {
		return "namespace and name"
	}
	return "name"
}

// yieldsDoc returns the comment of a query without an order.
func (q methodPrinter) yieldsDoc(theOrAll string) string {
	return fmt.Sprintf("yields %s %s %s.", theOrAll, kindAndVariableDoc(q.typ, q.index, q.typ.Plural), q.queryCriterionDoc())
}

// declareMethod declares a method that returns answer.
func (q methodPrinter) declareMethod(name, docAfterName string, params []string, result, answer string) {
	signature := name + "(" + strings.Join(params, ", ") + ") " + result
	q.file.queryByListerDotMethod[q.typ.Lister+"."+name] = Method{q.file.resolvePackageNames(signature, map[string]string{}), name + " " + docAfterName}
	head := "func (" + q.typ.ListerRecv + " " + q.typ.Lister + ") " + name
	q.file.declareFunction(name+" "+docAfterName, head, params, result, "return "+answer)
}

// handleCallWithReaderExpr prints the call of a method of the index's handle.
func (q methodPrinter) handleCallWithReaderExpr(method string, args ...string) string {
	args = append([]string{q.typ.ListerRecv + ".Reader()"}, args...)
	return q.typ.ListerRecv + ".indexes." + q.index.Method + "." + method + "(" + strings.Join(args, ", ") + ")"
}

// keyOrPartParameters prints the parameters of a query: its key struct, or one parameter for each part.
func (q methodPrinter) keyOrPartParameters() []string {
	if q.index.KeyVar != "" {
		return []string{q.index.KeyVar + " " + goType(q.index.Value)}
	}
	if q.index.Kind == model.States {
		return nil
	}
	var out []string
	for i, p := range q.index.Parts {
		param := p.Param
		if i+1 == len(q.index.Parts) || !reflect.DeepEqual(p.QueryType(), q.index.Parts[i+1].QueryType()) {
			param += " " + goType(p.QueryType()) // otherwise the next parameter states the type
		}
		out = append(out, param)
	}
	return out
}

// valueExpr prints the index value as an expression of the parameters.
func (q methodPrinter) valueExpr() string {
	switch {
	case q.index.KeyVar != "":
		return q.index.KeyVar
	case !q.index.Composite():
		return convertedKeyExpr(q.index.Parts[0], q.index.Parts[0].Param)
	}
	var parts []string
	for _, p := range q.index.Parts {
		parts = append(parts, p.Field, convertedKeyExpr(p, p.Param))
	}
	return literalExpr(goType(q.index.Value), parts...)
}
