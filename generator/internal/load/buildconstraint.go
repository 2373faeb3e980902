// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package load

import (
	"go/ast"
	"go/build"
	"go/build/constraint"
	"io"
	"slices"
	"strings"
)

// Conditions returns the build constraints of a file without duplicates: those of its
// name, cgo if native is true, and those of its //go:build line.
func Conditions(name string, file *ast.File, native bool) []string {
	all := tagsInName(name)
	if native {
		all = append(all, "cgo")
	}
	for _, group := range file.Comments {
		if group.Pos() > file.Package {
			break
		}
		for _, c := range group.List {
			if !constraint.IsGoBuild(c.Text) {
				continue
			}
			if expr, err := constraint.Parse(c.Text); err == nil {
				all = append(all, conjuncts(expr)...)
			}
		}
	}
	seen := map[string]bool{}
	return slices.DeleteFunc(all, func(one string) bool {
		again := seen[one]
		seen[one] = true
		return again
	})
}

// conjuncts splits an expression at its top-level && operators.
func conjuncts(expr constraint.Expr) []string {
	switch e := expr.(type) {
	case *constraint.AndExpr:
		return append(conjuncts(e.X), conjuncts(e.Y)...)
	case *constraint.OrExpr:
		return []string{"(" + e.String() + ")"}
	}
	return []string{expr.String()}
}

// tagsInName returns the build tags implied by a file name: linux and arm64 for
// types_linux_arm64.go.
func tagsInName(name string) []string {
	name, _, _ = strings.Cut(name, ".")
	words := strings.Split(name, "_")[1:] // the first word is never a constraint
	n := len(words)
	switch {
	case n > 1 && BuiltFor(words[n-2]) == System && BuiltFor(words[n-1]) == Architecture:
		return words[n-2:]
	case n > 0 && BuiltFor(words[n-1]) != anything:
		return words[n-1:]
	}
	return nil
}

// platform is the meaning of a file name's last words to the go command.
type platform int

const (
	anything platform = iota
	System
	Architecture
)

// BuiltFor returns the meaning of a word in a file name, as package go/build matches it.
func BuiltFor(word string) platform {
	built := func(name, goarch string) bool {
		ctx := build.Context{GOOS: "none", GOARCH: goarch, Compiler: "gc",
			OpenFile: func(string) (io.ReadCloser, error) {
				return io.NopCloser(strings.NewReader("package p\n")), nil
			}}
		ok, err := ctx.MatchFile("", name)
		return ok && err == nil
	}
	switch {
	case built("x_"+word+".go", "none"):
		return anything
	case built("x_"+word+"_386.go", "386"): // before an architecture, only a system counts
		return Architecture
	}
	return System
}
