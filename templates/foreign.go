// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package templates

import (
	"github.com/dave/jennifer/jen"

	"github.com/indexer-gen/indexer-gen/templates/model"
)

// stringExtractorOf prints the function that a string index encodes the results of.
func stringExtractorOf(t *model.Type, ix *model.Index) *jen.Statement {
	if ix.Kind == model.Labels {
		return jen.Qual(model.Strings, "Labels").Types(object(t))
	}
	return extractorOf(t, ix)
}

// stringValue prints the index value of a query, before it is encoded.
func (q query) stringValue() *jen.Statement {
	if q.ix.Kind == model.Labels {
		return jen.Qual(model.Strings, "Label").Values(
			jen.Id("Key").Op(":").Id(q.ix.Parts[0].Param), jen.Id("Value").Op(":").Id(q.ix.Parts[1].Param))
	}
	return q.value()
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
