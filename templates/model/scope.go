// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package model

import (
	"go/token"
	"strconv"
	"strings"
)

// scope chooses the names of local variables.
type scope map[string]bool

// scope returns a scope in which the names of imports are used.
func (p *Package) scope() scope {
	s := scope{}
	for _, i := range p.Imports {
		s[i.Name] = true
	}
	if p.Target == ControllerRuntime {
		s.use("ctx")
		s.use("opts")
	}
	return s
}

func (s scope) use(name string) { s[name] = true }

// pick returns the first wanted name that is free and not reserved, and marks it as used.
// If there is none, it numbers the last valid one.
func (s scope) pick(wanted ...string) string {
	base := "value"
	for _, want := range wanted {
		if s.free(want) {
			s.use(want)
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
	for n := 2; !s.free(name); n++ {
		name = base + strconv.Itoa(n)
	}
	s.use(name)
	return name
}

func endsInDigit(s string) bool { return strings.ContainsAny(s[max(0, len(s)-1):], "0123456789") }

func (s scope) free(name string) bool {
	return token.IsIdentifier(name) && !s[name] && !reserved[name]
}

// counter returns a free name for the counter of a loop.
func (s scope) counter() string { return s.pick("i", "j", "k", "n") }

// reserved holds the predeclared identifiers, which are legal but confusing to shadow.
var reserved = setOf(strings.Fields(`_ init main
	any bool byte comparable complex64 complex128 error float32 float64 int int8 int16 int32 int64 rune
	string uint uint8 uint16 uint32 uint64 uintptr true false iota nil
	append cap clear close complex copy delete imag len make max min new panic print println real recover`))

func setOf(names []string) map[string]bool {
	out := map[string]bool{}
	for _, name := range names {
		out[name] = true
	}
	return out
}
