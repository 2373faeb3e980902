// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package cachemutation

import (
	"go/token"
	"slices"
	"strconv"
	"strings"
)

// path leads from a value to memory that it refers to. A step is one character, or a point and the number of a field.
type path string

const (
	derefStep       path = "*" // what a pointer points to
	elementStep     path = "[" // an element of a slice, an array, a map or a channel
	yieldStep       path = "(" // an argument of a function that is a value, such as what an iterator yields to; its number follows
	hiddenFieldStep path = "?" // a field that an interface hides
	// unstructuredStep is a field of an unstructured object alone: typed objects are converted, and so copied.
	unstructuredStep path = "!"
)

const maxPathSteps = 8 // steps; what is deeper counts as part of the last one

// fieldOrResultStep is the step to a field of a struct, or to a result of several.
func fieldOrResultStep(i int) path { return "." + path(strconv.Itoa(i)) }

// cutStep returns the first step and the rest. The first step may be a number alone.
func (p path) cutStep() (first, rest path) {
	n := min(1, len(p))
	for n < len(p) && '0' <= p[n] && p[n] <= '9' {
		n++
	}
	return p[:n], p[n:]
}

// cutNumber cuts a number from a path.
func (p path) cutNumber() (n int, rest path) {
	first, rest := p.cutStep()
	n, _ = strconv.Atoi(strings.TrimPrefix(string(first), "."))
	return n, rest
}

func (p path) countSteps() (n int) {
	for ; p != ""; n++ {
		_, p = p.cutStep()
	}
	return n
}

// label says that a value refers to memory of an origin, or holds a reference to it.
type label struct {
	origin        origin
	originPath    path // where in the origin
	addressOffset path // of an address: the part of that memory it points to
	valuePath     path // where in the value; "" if the value itself is the reference
}

// origin is memory that comes from outside a function: of a parameter, or of the cache that a step reads.
type origin struct {
	paramOrCache int // or fromCache
	source       wayStep
}

// followStep returns the label of what is found one step from a value, if it has one.
func (l label) followStep(step path) (label, bool) {
	if l.valuePath == "" {
		if l.originPath.countSteps() < maxPathSteps {
			l.originPath += l.addressOffset + step
		}
		l.addressOffset = ""
		return l, true
	}
	var first path
	first, l.valuePath = l.valuePath.cutStep()
	return l, first == step || first == hiddenFieldStep || first == fieldOrResultStep(0) && step == unstructuredStep
}

// followPath returns the label of what is found at p in the value.
func (l label) followPath(p path) (_ label, ok bool) {
	if l.valuePath == "" && l.addressOffset != "" && strings.HasPrefix(string(p), string(derefStep)) {
		l, _ = l.followStep("")
		p = p[1:]
	}
	for ok = true; ok && p != ""; {
		var step path
		step, p = p.cutStep()
		l, ok = l.followStep(step)
	}
	return l, ok
}

// addressLabel returns the label of the address of what is found at p.
func (l label) addressLabel(p path) (label, bool) {
	if l.valuePath == "" {
		if l.addressOffset != "" {
			_, p = p.cutStep()
		}
		l.addressOffset += p
		return l, true
	}
	l, ok := l.followPath(p)
	l.valuePath = derefStep + l.valuePath
	return l, ok
}

// summary is what callers need to know of a function. It is the fact that the analyzer exports.
type summary struct{ Effects []effect }

// effect says that a call writes memory of a parameter, or that its result, or memory of a parameter, refers then to
// memory of a parameter or of a cache. Parameters begin with the receiver; the variables that a function literal
// captures follow.
type effect struct {
	From int    // parameter, or fromCache
	At   path   // where in it
	To   int    // parameter, result or written
	In   path   // where in it; the path in several results begins with the number of one
	If   int    // a parameter with which it does that only if it is a certain constant, plus one; or 0
	Is   string // that constant
	Way  []wayStep
	site // of a write in this package
}

// site is where a write is: the position of an instruction, and the argument if it is a call, or -1.
type site struct {
	pos                token.Pos
	receiverOrArgIndex int
}

const (
	fromCache = -1
	toResult  = -1
	toWrite   = -2
)

// wayStep is a step of the way from a cache to a write.
type wayStep struct{ Text, Place string }

func (*summary) AFact() {}

func (s *summary) isEmpty() bool { return s == nil || len(s.Effects) == 0 }

const maxEffects = 96 // of a function; what is more is dropped

// addEffect adds an effect. It reports whether it is new.
func (s *summary) addEffect(e effect) bool {
	same := func(o effect) bool {
		return o.From == e.From && o.At == e.At && o.To == e.To && o.In == e.In && o.If == e.If && o.Is == e.Is
	}
	if len(s.Effects) >= maxEffects || slices.ContainsFunc(s.Effects, same) {
		return false
	}
	s.Effects = append(s.Effects, e)
	return true
}
