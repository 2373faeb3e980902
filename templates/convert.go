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

// unset returns the test that a value is not set.
func (v value) unset() *test {
	zero := v.code.Clone().Dot("IsZero").Call()
	return &test{jen.Op("!").Add(zero), zero.Clone()}
}

// zero returns the test that a value is the zero value of its type.
func (v value) zero(p *model.Part) *test {
	taken := v.followed()
	switch {
	case p.Convert != nil && p.Convert.Select != "":
		taken = v.code.Clone().Dot(p.Convert.Select)
	case p.Convert != nil:
		return v.unset()
	}
	switch p.Basic {
	case model.StringBasic:
		return compares(taken, jen.Lit(""))
	case model.IntBasic, model.UintBasic:
		return compares(taken, jen.Lit(0))
	case model.BoolBasic:
		return &test{taken, jen.Op("!").Add(taken.Clone())}
	}
	return compares(taken, jen.Parens(goType(p.Type).Values()))
}

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
