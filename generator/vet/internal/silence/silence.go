// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package silence finds the comments that silence an analyzer on a line.
package silence

import (
	"go/token"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
)

// Lines has the lines on which an analyzer is silent.
type Lines struct {
	fset  *token.FileSet
	lines map[line]bool
}

type line struct {
	file string
	n    int
}

// In returns the lines of a package that end with //nolint:NAME, which may name several analyzers with commas or,
// without any, means all, or with //vet:ignore NAME and a reason.
func In(pass *analysis.Pass) Lines {
	l := Lines{pass.Fset, map[line]bool{}}
	for _, file := range pass.Files {
		for _, group := range file.Comments {
			for _, c := range group.List {
				if silences(c.Text, pass.Analyzer.Name) {
					l.lines[l.line(c.Slash)] = true
				}
			}
		}
	}
	return l
}

// At reports whether the analyzer is silent at a position.
func (l Lines) At(pos token.Pos) bool { return l.lines[l.line(pos)] }

func (l Lines) line(pos token.Pos) line {
	p := l.fset.Position(pos)
	return line{p.Filename, p.Line}
}

func silences(comment, analyzer string) bool {
	words := strings.Fields(comment)
	if len(words) > 1 && words[0] == "//vet:ignore" {
		return words[1] == analyzer
	}
	rest, ok := strings.CutPrefix(comment, "//nolint")
	if !ok {
		return false
	}
	names, ok := strings.CutPrefix(rest, ":")
	if !ok {
		return rest == "" || strings.HasPrefix(rest, " ")
	}
	names, _, _ = strings.Cut(names, " ")
	return slices.Contains(strings.Split(names, ","), analyzer) || names == "all"
}
