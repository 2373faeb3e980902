// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package tombstone

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/indexer-gen/indexer-gen/generator/vet/internal/handlers"
)

// typed checks uses of the object of a typed handler, which may be nil.
func (c *checker) typed(fn *ssa.Function) {
	for _, block := range fn.Blocks {
		for _, instr := range block.Instrs {
			object, ok := instr.(ssa.Value)
			if !ok || deletedField(object) != "OptionalObj" {
				continue
			}
			for _, use := range *object.Referrers() {
				if dereferences(use, object) && !notNil(object, use.Block()) {
					c.report(use.Pos(), "OptionalObj is nil if the cache did not have the object; "+
						"compare it with nil first, or use GetObjectName")
					break
				}
			}
		}
	}
}

// deletedField returns the field of a cache.DeletedObject that a value is, or "".
func deletedField(v ssa.Value) string {
	var s types.Type
	var i int
	switch v := v.(type) {
	case *ssa.Field:
		s, i = v.X.Type(), v.Field
	case *ssa.UnOp:
		field, ok := v.X.(*ssa.FieldAddr)
		if !ok || v.Op != token.MUL {
			return ""
		}
		s, i = types.Unalias(field.X.Type()).(*types.Pointer).Elem(), field.Field
	default:
		return ""
	}
	if pkg, name := handlers.Named(s); pkg != handlers.CachePackage || name != "DeletedObject" {
		return ""
	}
	return s.Underlying().(*types.Struct).Field(i).Name()
}

// dereferences reports whether an instruction panics if a value is nil.
func dereferences(instr ssa.Instruction, v ssa.Value) bool {
	switch i := instr.(type) {
	case *ssa.FieldAddr:
		return i.X == v
	case *ssa.UnOp:
		return i.Op == token.MUL && i.X == v
	case ssa.CallInstruction:
		return i.Common().IsInvoke() && i.Common().Value == v
	}
	return false
}

// notNil reports whether a branch that leads to a block says that a value is not nil.
func notNil(v ssa.Value, at *ssa.BasicBlock) bool {
	return leads(at, func(from, to *ssa.BasicBlock) bool {
		branch, ok := from.Instrs[len(from.Instrs)-1].(*ssa.If)
		if !ok {
			return false
		}
		cond, ok := branch.Cond.(*ssa.BinOp)
		if !ok {
			return false
		}
		holds := to == from.Succs[0]
		if c, isConst := cond.Y.(*ssa.Const); !isConst || !c.IsNil() {
			return false
		}
		compared := cond.X
		switch {
		case compared == v, deletedField(v) != "" && deletedField(compared) == "OptionalObj":
			return holds == (cond.Op == token.NEQ)
		case deletedField(v) != "" && deletedField(compared) == "FinalStateUnknown":
			return holds == (cond.Op == token.EQL)
		}
		return false
	})
}
