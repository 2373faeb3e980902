// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package cachemutation

import (
	"fmt"
	"strconv"
	"strings"
)

// path leads from a value to memory that it refers to. A step is a rune.
type path string

const (
	deref path = "*" // what a pointer points to
	elem  path = "[" // an element of a slice, an array, a map or a channel
	yield path = "(" // an argument that an iterator passes; the field of the argument follows
	some  path = "?" // a field that an interface hides
	// untyped is a field of an unstructured object alone: typed objects are converted, and so copied.
	untyped path = "!"
)

const longest = 8 // steps; what is deeper counts as part of the last one

// field is the step to a field of a struct, or to a result of several.
func field(i int) path { return path(rune(0x100 + i)) }

// cut returns the first step and the rest.
func (p path) cut() (first, rest path) {
	for i := range p {
		if i > 0 {
			return p[:i], p[i:]
		}
	}
	return p, ""
}

func (p path) steps() int { return len([]rune(p)) }

func (p path) String() string {
	var s strings.Builder
	for _, step := range p {
		if step >= 0x100 {
			fmt.Fprintf(&s, ".%d", step-0x100)
			continue
		}
		s.WriteRune(step)
	}
	return s.String()
}

// parsePath is the inverse of path.String.
func parsePath(text string) (path, error) {
	var p path
	for text != "" {
		if text[0] != '.' {
			p, text = p+path(text[:1]), text[1:]
			continue
		}
		end := 1
		for end < len(text) && text[end] >= '0' && text[end] <= '9' {
			end++
		}
		n, err := strconv.Atoi(text[1:end])
		if err != nil {
			return "", fmt.Errorf("path %q: %w", text, err)
		}
		p, text = p+field(n), text[end:]
	}
	return p, nil
}

// label says that a value refers to memory of an origin, or holds a reference to it.
type label struct {
	origin int  // index of function.origins
	at     path // where in the origin
	offset path // of an address: the part of that memory it points to
	in     path // where in the value; "" if the value itself is the reference
}

// to returns the label of what is found one step from a value, if it has one.
func (l label) to(step path) (label, bool) {
	if l.in == "" {
		l.at, l.offset = l.at+l.offset, ""
		if l.at.steps() < longest {
			l.at += step
		}
		return l, true
	}
	first, rest := l.in.cut()
	l.in = rest
	return l, first == step || first == some || first == field(0) && step == untyped
}

// element returns the label of the address of a field or an element, which is at steps from a pointer or slice.
func (l label) element(steps ...path) (label, bool) {
	if l.in == "" {
		if l.offset == "" {
			l.offset = steps[0]
		}
		for _, step := range steps[1:] {
			l.offset += step
		}
		return l, true
	}
	var ok bool
	for _, step := range steps {
		if l, ok = l.to(step); !ok {
			return l, false
		}
	}
	l.in = deref + l.in
	return l, true
}

// load returns the label of what a pointer points to.
func (l label) load() (label, bool) {
	if l.in == "" && l.offset != "" {
		l.at, l.offset = l.at+l.offset, ""
		return l, true
	}
	return l.to(deref)
}

// within returns the label of a value that has this one at p.
func (l label) within(p path) (label, bool) {
	l.in = p + l.in
	return l, l.in.steps() <= longest
}

// follow returns the label of what is found at p in the value.
func (l label) follow(p path) (_ label, ok bool) {
	if l.in == "" && l.offset != "" && strings.HasPrefix(string(p), string(deref)) {
		l, _ = l.load()
		p = p[1:]
	}
	for ok = true; ok && p != ""; {
		var step path
		step, p = p.cut()
		l, ok = l.to(step)
	}
	return l, ok
}
