// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package gotypes

import (
	"go/types"
	"iter"
)

// MaxNested is how deep type arguments are followed.
const MaxNested = 12

// Nested returns how deep the type arguments of a type are nested, pointers, lists and the
// like included; if inParams, only down to type parameters.
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

// components yields the types that a type is written with, one level down: the type
// arguments of one that has a name.
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

// Parts yields a type and all that it is written with, at any depth.
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
