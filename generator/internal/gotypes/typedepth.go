// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package gotypes

import (
	"go/types"
	"iter"
)

// MaxNested limits the nesting of type arguments.
const MaxNested = 12

// Nested returns the nesting depth of a type's arguments, including pointers and lists. If
// inParams is true, only the depth of type parameters counts.
func Nested(t types.Type, inParams bool) int {
	t = types.Unalias(t)
	if _, isParam := t.(*types.TypeParam); isParam {
		return 1
	}
	deepest := -1
	for part := range components(t) {
		deepest = max(deepest, Nested(part, inParams))
	}
	if deepest < 0 || deepest == 0 && inParams {
		return 0
	}
	return 1 + deepest
}

// components yields the direct components of a type. Those of a named type are its type
// arguments.
func components(t types.Type) iter.Seq[types.Type] {
	return func(yield func(types.Type) bool) {
		all := func(tuple *types.Tuple) bool {
			for v := range tuple.Variables() {
				if !yield(v.Type()) {
					return false
				}
			}
			return true
		}
		switch t := t.(type) {
		case *types.Named:
			t.TypeArgs().Types()(yield)
		case *types.Map:
			if yield(t.Key()) {
				yield(t.Elem())
			}
		case *types.Struct:
			for f := range t.Fields() {
				if !yield(f.Type()) {
					return
				}
			}
		case *types.Signature:
			if all(t.Params()) {
				all(t.Results())
			}
		case *types.Interface:
			for m := range t.ExplicitMethods() {
				if !yield(m.Type()) {
					return
				}
			}
			for e := range t.EmbeddedTypes() {
				if !yield(e) {
					return
				}
			}
		case interface{ Elem() types.Type }: // pointers, slices, arrays, channels
			yield(t.Elem())
		}
	}
}

// Parts yields a type and its components at any depth.
func Parts(t types.Type) iter.Seq[types.Type] {
	return func(yield func(types.Type) bool) { eachPart(types.Unalias(t), yield) }
}

func eachPart(t types.Type, yield func(types.Type) bool) bool {
	if !yield(t) {
		return false
	}
	for part := range components(t) {
		if !eachPart(types.Unalias(part), yield) {
			return false
		}
	}
	return true
}
