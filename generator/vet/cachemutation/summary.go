// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package cachemutation

import "go/token"

// summary is what callers need to know of a function. It is the fact that the analyzer exports.
type summary struct{ Effects []effect }

// effect says that a call writes memory of a parameter, or that its result, or memory of a parameter, refers then to
// memory of a parameter or of a cache. Parameters begin with the receiver; the variables that a function literal
// captures follow.
type effect struct {
	From int  // parameter, or fromCache
	At   path // where in it
	To   int  // parameter, result or written
	In   path // where in it; the path in several results begins with the number of one
	Way  []step
	pos  token.Pos // of a write in this package
}

const (
	fromCache = -1
	result    = -1
	written   = -2
)

// step is a step of the way from a cache to a write.
type step struct {
	Text, Place string
}

func (*summary) AFact() {}

func (s *summary) empty() bool { return s == nil || len(s.Effects) == 0 }

const mostEffects = 48 // writes of a function, and others; what is more is dropped

// add adds an effect. It reports whether it is new.
func (s *summary) add(e effect) bool {
	n := 0
	for _, o := range s.Effects {
		if o.From == e.From && o.At == e.At && o.To == e.To && o.In == e.In {
			return false
		}
		if (o.To == written) == (e.To == written) {
			n++
		}
	}
	if n < mostEffects {
		s.Effects = append(s.Effects, e)
	}
	return n < mostEffects
}
