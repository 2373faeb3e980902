// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package templates

import "github.com/indexer-gen/indexer-gen/templates/model"

// keyExpr prints a value as an index key, or as one part of a composite key.
//
//	canonical.TimeOf(d.Status.StartedAt.Time)
func (v pathValue) keyExpr(p *model.Part) string {
	return convertedKeyExpr(p, v.unconvertedKeyExpr(p))
}

// unconvertedKeyExpr prints the value that is converted.
func (v pathValue) unconvertedKeyExpr(p *model.Part) string {
	if p.Convert != nil && p.Convert.Select != "" {
		return v.expr + "." + p.Convert.Select
	}
	return v.dereferencedExpr()
}

// notIsZeroTest returns the test that a time or quantity is set.
func (v pathValue) notIsZeroTest() *predicate { return isTrue(v.expr + ".IsZero()").negated() }

// nonzeroTest returns the test that a value is not the zero value of its type.
func (v pathValue) nonzeroTest(p *model.Part) *predicate {
	taken := v.unconvertedKeyExpr(p)
	switch {
	case p.Convert != nil && p.Convert.Select == "":
		return v.notIsZeroTest()
	case p.Convert == nil && p.Basic == model.StringBasic:
		return isDifferent(taken, `""`)
	case p.Convert != nil, p.Basic == model.IntBasic, p.Basic == model.UintBasic:
		return isDifferent(taken, "0")
	case p.Basic == model.BoolBasic:
		return isTrue(taken)
	}
	return isDifferent(taken, "("+goType(p.Type)+"{})")
}

// convertedKeyExpr prints the conversion of code, whose type is [model.Part.QueryType], to a key.
func convertedKeyExpr(p *model.Part, code string) string {
	if p.Convert == nil || p.Convert.Func == (model.Ident{}) {
		return code
	}
	return identExpr(p.Convert.Func) + "(" + code + ")"
}
