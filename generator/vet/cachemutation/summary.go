// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package cachemutation

import (
	"cmp"
	"go/token"
	"slices"
)

// summary is what callers need to know of a function. It is the fact that the analyzer exports.
// Parameters begin with the receiver; the variables that a function literal captures follow.
type summary struct {
	Writes []write
	Flows  []flow
}

// write says that memory of a parameter is written.
type write struct {
	Param int
	At    path // the reference that is written through
	Way   []step
	pos   token.Pos // in this package
}

// flow says that a result, or memory of a parameter, refers to memory of a parameter or of a cache.
type flow struct {
	From int // parameter, or fromCache
	At   path
	To   int // result, or toParam(i)
	In   path
	Way  []step
}

const fromCache = -1

func toParam(i int) int { return -1 - i }

// step is a step of the way from a cache to a write.
type step struct {
	Text, Place string
}

func (*summary) AFact() {}

func (s *summary) empty() bool { return s == nil || len(s.Writes)+len(s.Flows) == 0 }

const mostWrites, mostFlows = 24, 48 // of a function; others are dropped

func (s *summary) addWrite(w write) bool {
	same := func(o write) bool { return o.Param == w.Param && o.At == w.At }
	if len(s.Writes) >= mostWrites || slices.ContainsFunc(s.Writes, same) {
		return false
	}
	s.Writes = append(s.Writes, w)
	return true
}

func (s *summary) addFlow(f flow) bool {
	same := func(o flow) bool { return o.From == f.From && o.At == f.At && o.To == f.To && o.In == f.In }
	if len(s.Flows) >= mostFlows || slices.ContainsFunc(s.Flows, same) {
		return false
	}
	s.Flows = append(s.Flows, f)
	return true
}

// sort sorts a summary by parameters and paths.
func (s *summary) sort() {
	slices.SortFunc(s.Writes, func(a, b write) int { return cmp.Or(a.Param-b.Param, cmp.Compare(a.At, b.At)) })
	slices.SortFunc(s.Flows, func(a, b flow) int {
		return cmp.Or(a.From-b.From, cmp.Compare(a.At, b.At), a.To-b.To, cmp.Compare(a.In, b.In))
	})
}
