// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package cachemutation

import (
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/indexer-gen/indexer-gen/generator/vet/internal/program"
)

// message tells the way of an object from a cache to a write.
func message(way []step) string {
	var steps []string
	for _, s := range way {
		if s.Place != "" {
			s.Text += " (" + s.Place + ")"
		}
		steps = append(steps, s.Text)
	}
	return "write to an object that is shared with a cache: " + strings.Join(steps, ", ") + "; copy it first"
}

// nameOf returns the name of a function for messages, with its package and receiver.
func nameOf(fn *types.Func) string {
	name := nameInTable(fn)
	return strings.NewReplacer("(", "", "*", "", ")", "").Replace(name[strings.LastIndexByte(name, '/')+1:])
}

// described names memory that is written: a field, or what has it.
func described(v ssa.Value) string {
	switch v := v.(type) {
	case *ssa.FieldAddr:
		return "field " + program.FieldOf(v).Name()
	case *ssa.IndexAddr:
		return "an element of " + described(v.X)
	case *ssa.Call:
		if callee := called(&v.Call); callee != nil {
			return "the result of " + nameOf(callee)
		}
	case *ssa.Phi:
		return v.Comment
	case *ssa.Alloc:
		return v.Comment
	}
	if d := derivationOf(v); d.from != nil {
		return described(d.from[0])
	}
	return "it"
}
