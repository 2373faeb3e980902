// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package cachemutation

import (
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// message tells the way of an object from a cache to a write.
func message(way []step) string {
	var s strings.Builder
	s.WriteString("write to an object that is shared with a cache: ")
	for i, step := range way {
		if i > 0 {
			s.WriteString(", ")
		}
		s.WriteString(step.Text)
		if step.Place != "" {
			s.WriteString(" (" + step.Place + ")")
		}
	}
	s.WriteString("; copy it first: obj = obj.DeepCopy()")
	return s.String()
}

// nameOf returns the name of a function for messages: with its receiver, or its package.
func nameOf(fn *types.Func) string {
	if recv := fn.Signature().Recv(); recv != nil {
		t := recv.Type()
		if p, ok := types.Unalias(t).(*types.Pointer); ok {
			t = p.Elem()
		}
		if named, ok := types.Unalias(t).(*types.Named); ok {
			return named.Obj().Name() + "." + fn.Name()
		}
		return fn.Name()
	}
	if fn.Pkg() != nil {
		return fn.Pkg().Name() + "." + fn.Name()
	}
	return fn.Name()
}

// described names memory that is written: a field, or what a field has.
func described(v ssa.Value) string {
	switch v := v.(type) {
	case *ssa.FieldAddr:
		return "field " + fieldOf(v).Name()
	case *ssa.Field:
		return "field " + v.X.Type().Underlying().(*types.Struct).Field(v.Field).Name()
	case *ssa.UnOp:
		return described(v.X)
	case *ssa.Slice:
		return described(v.X)
	case *ssa.IndexAddr:
		return "an element of " + described(v.X)
	case *ssa.Phi:
		if v.Comment != "" {
			return v.Comment
		}
	case *ssa.Alloc:
		if v.Comment != "" {
			return v.Comment
		}
	case *ssa.Call:
		if callee := called(&v.Call); callee != nil {
			return "the result of " + nameOf(callee)
		}
	}
	return "it"
}

func fieldOf(v *ssa.FieldAddr) *types.Var {
	return v.X.Type().Underlying().(*types.Pointer).Elem().Underlying().(*types.Struct).Field(v.Field)
}
