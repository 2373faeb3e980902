// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package templates

import "github.com/indexer-gen/indexer-gen/templates/model"

// key prints a value as an index key, or as one part of a composite key.
//
//	canonical.TimeOf(d.Status.StartedAt.Time)
func (v value) key(p *model.Part) string { return queryKey(p, v.selected(p)) }

// selected prints the value that is converted.
func (v value) selected(p *model.Part) string {
	if p.Convert != nil && p.Convert.Select != "" {
		return v.code + "." + p.Convert.Select
	}
	return v.followed()
}

// isSet returns the test that a time or quantity is set.
func (v value) isSet() *test { return is(v.code + ".IsZero()").not() }

// nonzero returns the test that a value is not the zero value of its type.
func (v value) nonzero(p *model.Part) *test {
	taken := v.selected(p)
	switch {
	case p.Convert != nil && p.Convert.Select == "":
		return v.isSet()
	case p.Convert == nil && p.Basic == model.StringBasic:
		return differs(taken, `""`)
	case p.Convert != nil, p.Basic == model.IntBasic, p.Basic == model.UintBasic:
		return differs(taken, "0")
	case p.Basic == model.BoolBasic:
		return is(taken)
	}
	return differs(taken, "("+goType(p.Type)+"{})")
}

// queryKey prints the conversion of code, whose type is [model.Part.QueryType], to a key.
func queryKey(p *model.Part, code string) string {
	if p.Convert == nil || p.Convert.Func == (model.Ident{}) {
		return code
	}
	return ident(p.Convert.Func) + "(" + code + ")"
}
