// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package model

import (
	"go/token"
	"strconv"
	"strings"
)

// scope hands out names of local variables.
type scope map[string]bool

// scope begins with the names that a function body refers to from outside.
func (p *Package) scope() scope {
	s := scope{}
	for _, i := range p.Imports {
		s[i.Name] = true
	}
	return s
}

func (s scope) use(name string) { s[name] = true }

// pick returns want, or a name made of it that is free, and uses it.
func (s scope) pick(want string) string {
	name := want
	for i := 2; s[name] || reserved[name] || token.IsKeyword(name) || !token.IsIdentifier(name); i++ {
		switch {
		case i == 2 && len(want) > 1:
			want += "Value"
			name = want
		default:
			name = want + strconv.Itoa(i)
		}
		if !token.IsIdentifier(name) {
			want = "value"
		}
	}
	s.use(name)
	return name
}

// counter returns a free name for the counter of a loop.
func (s scope) counter() string {
	for _, name := range []string{"i", "j", "k", "n"} {
		if !s[name] {
			return s.pick(name)
		}
	}
	return s.pick("i")
}

// reserved holds what Go predeclares: legal to shadow, and confusing.
var reserved = func() map[string]bool {
	m := map[string]bool{}
	for _, n := range strings.Fields(`_ init main
		any bool byte comparable complex64 complex128 error float32 float64 int int8 int16 int32 int64 rune string
		uint uint8 uint16 uint32 uint64 uintptr true false iota nil append cap clear close complex copy delete imag
		len make max min new panic print println real recover`) {
		m[n] = true
	}
	return m
}()
