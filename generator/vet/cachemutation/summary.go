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
	deref path = "*" // what a pointer points to
	elem  path = "[" // an element of a slice, an array, a map or a channel
	yield path = "(" // an argument of a function that is a value, such as what an iterator yields to; its number follows
	some  path = "?" // a field that an interface hides
	// untyped is a field of an unstructured object alone: typed objects are converted, and so copied.
	untyped path = "!"
)

const longest = 8 // steps; what is deeper counts as part of the last one

// field is the step to a field of a struct, or to a result of several.
func field(i int) path { return "." + path(strconv.Itoa(i)) }

// cut returns the first step and the rest. The first step may be a number alone.
func (p path) cut() (first, rest path) {
	n := min(1, len(p))
	for n < len(p) && '0' <= p[n] && p[n] <= '9' {
		n++
	}
	return p[:n], p[n:]
}

// number cuts a number from a path.
func (p path) number() (n int, rest path) {
	first, rest := p.cut()
	n, _ = strconv.Atoi(strings.TrimPrefix(string(first), "."))
	return n, rest
}

func (p path) steps() (n int) {
	for ; p != ""; n++ {
		_, p = p.cut()
	}
	return n
}

// label says that a value refers to memory of an origin, or holds a reference to it.
type label struct {
	origin origin
	at     path // where in the origin
	offset path // of an address: the part of that memory it points to
	in     path // where in the value; "" if the value itself is the reference
}

// origin is memory that comes from outside a function: of a parameter, or of the cache that a step reads.
type origin struct {
	param  int // or fromCache
	source step
}

// to returns the label of what is found one step from a value, if it has one.
func (l label) to(step path) (label, bool) {
	if l.in == "" {
		if l.at.steps() < longest {
			l.at += l.offset + step
		}
		l.offset = ""
		return l, true
	}
	var first path
	first, l.in = l.in.cut()
	return l, first == step || first == some || first == field(0) && step == untyped
}

// follow returns the label of what is found at p in the value.
func (l label) follow(p path) (_ label, ok bool) {
	if l.in == "" && l.offset != "" && strings.HasPrefix(string(p), string(deref)) {
		l, _ = l.to("")
		p = p[1:]
	}
	for ok = true; ok && p != ""; {
		var step path
		step, p = p.cut()
		l, ok = l.to(step)
	}
	return l, ok
}

// address returns the label of the address of what is found at p.
func (l label) address(p path) (label, bool) {
	if l.in == "" {
		if l.offset != "" {
			_, p = p.cut()
		}
		l.offset += p
		return l, true
	}
	l, ok := l.follow(p)
	l.in = deref + l.in
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
	Way  []step
	site // of a write in this package
}

// site is where a write is: the position of an instruction, and the argument if it is a call, or -1.
type site struct {
	pos token.Pos
	arg int
}

const (
	fromCache = -1
	result    = -1
	written   = -2
)

// step is a step of the way from a cache to a write.
type step struct{ Text, Place string }

func (*summary) AFact() {}

func (s *summary) empty() bool { return s == nil || len(s.Effects) == 0 }

const mostEffects = 96 // of a function; what is more is dropped

// add adds an effect. It reports whether it is new.
func (s *summary) add(e effect) bool {
	same := func(o effect) bool {
		return o.From == e.From && o.At == e.At && o.To == e.To && o.In == e.In && o.If == e.If && o.Is == e.Is
	}
	if len(s.Effects) >= mostEffects || slices.ContainsFunc(s.Effects, same) {
		return false
	}
	s.Effects = append(s.Effects, e)
	return true
}
