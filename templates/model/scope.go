// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package model

import (
	"go/token"
	"strconv"
	"strings"
)

// localScope chooses the names of local variables.
type localScope map[string]bool

// newScope returns a scope in which the names of imports are used.
func (p *Package) newScope() localScope {
	s := localScope{}
	for _, i := range p.Imports {
		s[i.Name] = true
	}
	if p.Target == ControllerRuntime {
		s.reserve("ctx")
		s.reserve("opts")
	}
	return s
}

func (s localScope) reserve(name string) { s[name] = true }

// pickName returns the first wanted name that is free and not reserved, and marks it as used.
// If there is none, it numbers the last valid one.
func (s localScope) pickName(wanted ...string) string {
	base := "value"
	for _, want := range wanted {
		if s.isFree(want) {
			s.reserve(want)
			return want
		}
		if token.IsIdentifier(want) || token.IsKeyword(want) {
			base = want
		}
	}
	name := base
	if endsInDigit(base) {
		base += "No" // a2No2, because a22 would read as another number
	}
	for n := 2; !s.isFree(name); n++ {
		name = base + strconv.Itoa(n)
	}
	s.reserve(name)
	return name
}

func endsInDigit(s string) bool { return strings.ContainsAny(s[max(0, len(s)-1):], "0123456789") }

func (s localScope) isFree(name string) bool {
	return token.IsIdentifier(name) && !s[name] && !predeclared[name]
}

// pickCounter returns a free name for the counter of a loop.
func (s localScope) pickCounter() string { return s.pickName("i", "j", "k", "n") }

// predeclared holds the predeclared identifiers, which are legal but confusing to shadow.
var predeclared = setOfNames(strings.Fields(`_ init main
	any bool byte comparable complex64 complex128 error float32 float64 int int8 int16 int32 int64 rune
	string uint uint8 uint16 uint32 uint64 uintptr true false iota nil
	append cap clear close complex copy delete imag len make max min new panic print println real recover`))

func setOfNames(names []string) map[string]bool {
	out := map[string]bool{}
	for _, name := range names {
		out[name] = true
	}
	return out
}
