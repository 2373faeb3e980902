// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package templates

import (
	"github.com/dave/jennifer/jen"

	"github.com/indexer-gen/indexer-gen/templates/model"
)

// key prints a value as an index key, or as one part of a composite key.
//
//	canonical.TimeOf(d.Status.StartedAt.Time)
func (v value) key(p *model.Part) *jen.Statement {
	taken := v.followed()
	if p.Convert != nil && p.Convert.Select != "" {
		taken = v.code.Clone().Dot(p.Convert.Select)
	}
	return made(p, taken)
}

// unset prints the condition that a value is not set.
func (v value) unset() *jen.Statement { return v.code.Clone().Dot("IsZero").Call() }

// queryKey prints a query parameter, whose type is [model.Part.QueryType], as a key.
func queryKey(p *model.Part, param string) *jen.Statement {
	return made(p, jen.Id(param))
}

// made prints the conversion of given to the key of a part.
func made(p *model.Part, given *jen.Statement) *jen.Statement {
	if p.Convert == nil || p.Convert.Func == (model.Ident{}) {
		return given
	}
	return ident(p.Convert.Func).Call(given)
}
