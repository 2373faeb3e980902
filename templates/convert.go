// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package templates

import (
	"github.com/dave/jennifer/jen"

	"github.com/indexer-gen/indexer-gen/generator/model"
)

// key prints a value as the key of its part, or as a part of one.
//
//	canonical.TimeOf(d.Status.StartedAt.Time)
func (v value) key(p *model.Part) *jen.Statement {
	switch {
	case p.Convert == nil:
		return v.followed()
	case p.Convert.Select != "":
		return ident(p.Convert.Func).Call(v.code.Clone().Dot(p.Convert.Select))
	}
	return ident(p.Convert.Func).Call(v.followed())
}

// unset prints the test whether a value is not set.
func (v value) unset() *jen.Statement { return v.code.Clone().Dot("IsZero").Call() }

// asked prints a parameter of a query, which is of the type [model.Part.Asked], as a key.
func asked(p *model.Part, param string) *jen.Statement {
	if p.Convert == nil {
		return jen.Id(param)
	}
	return ident(p.Convert.Func).Call(jen.Id(param))
}
