// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package migrate

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
)

// An evaluator runs an index function on a symbolic object. Conditions split the state, and loops run once with an
// element that stands for all.
type evaluator struct {
	prog   *program
	root   *place // the object; its type is nil until the function asserts it
	loops  int
	steps  int
	first  map[int]token.Position // loops that end at their first match
	fields map[string]bool        // JSON names of the fields that the function reads
	words  map[string][]string    // constants that it compares with, by the field, and keys of maps, by the map
	by     map[int]string         // fields by which searches for one element compare, by loop
	built  map[string]*list       // lists whose length was asked for, by the value of the noMatch condition
}

// A state holds the variables, and the conditions under which execution comes here.
type state struct {
	vars  map[types.Object]value
	conds []atom
}

func (s *state) with(a ...atom) *state {
	return &state{maps.Clone(s.vars), append(s.conds[:len(s.conds):len(s.conds)], a...)}
}

// frame evaluates code of one package.
type frame struct {
	*evaluator
	in    *source
	depth int
}

// notUnderstood is panicked with by the evaluator and recovered by evaluate.
type notUnderstood struct {
	at   token.Position
	what string
}

func (f *frame) fail(n ast.Node, format string, args ...any) {
	panic(notUnderstood{f.in.position(n), fmt.Sprintf(format, args...)}) //nolint:forbidigo // evaluate recovers it
}

// end is how statements end.
type end int

type outcome struct {
	st    *state
	end   end
	value value // of returned
}

const maxSteps = 20000
