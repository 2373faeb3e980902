// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package diag

import (
	"cmp"
	"fmt"
	"go/token"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Diagnostic is one error in the input.
type Diagnostic struct {
	Pos     token.Position // zero if the error has no position
	Message string
}

// String returns file:line:column: message.
func (d Diagnostic) String() string {
	if d.Pos.Filename == "" {
		return d.Message
	}
	return d.Pos.String() + ": " + d.Message
}

// Diagnostics is the error that generator.Run returns for invalid input: all errors, sorted by
// position.
type Diagnostics []Diagnostic

// Error returns one line for each diagnostic.
func (d Diagnostics) Error() string {
	lines := make([]string, len(d))
	for i, one := range d {
		lines[i] = one.String()
	}
	return strings.Join(lines, "\n")
}

// Reporter collects diagnostics. It shows file names below Dir relative to Dir.
type Reporter struct {
	Dir     string
	FileSet *token.FileSet
	List    Diagnostics
}

// At adds a diagnostic at a position of the FileSet.
func (r *Reporter) At(pos token.Pos, format string, args ...any) {
	r.Add(r.FileSet.Position(pos), fmt.Sprintf(format, args...))
}

// Mistake is a message with a position in the source.
type Mistake struct {
	Pos     token.Pos
	Message string
}

// Mistakes adds a list of mistakes.
func (r *Reporter) Mistakes(list []Mistake) {
	for _, m := range list {
		r.At(m.Pos, "%s", m.Message)
	}
}

// Add adds a diagnostic at a resolved position, or without one.
func (r *Reporter) Add(pos token.Position, message string) {
	pos.Filename = r.Short(pos.Filename)
	r.List = append(r.List, Diagnostic{Pos: pos, Message: message})
}

// Has reports whether there is a diagnostic at a position.
func (r *Reporter) Has(pos token.Pos) bool {
	return slices.ContainsFunc(r.List, func(d Diagnostic) bool { return d.Pos.String() == r.Where(pos) })
}

// Short returns a file name for messages: relative to Dir if it is below Dir.
func (r *Reporter) Short(file string) string {
	if rel, err := filepath.Rel(r.Dir, file); err == nil && !strings.HasPrefix(rel, "..") {
		return rel
	}
	return file
}

// Where formats a position for use inside a message.
func (r *Reporter) Where(pos token.Pos) string {
	p := r.FileSet.Position(pos)
	p.Filename = r.Short(p.Filename)
	return p.String()
}

// Err returns the sorted diagnostics without repetitions, or nil if there are none.
func (r *Reporter) Err() error {
	if len(r.List) == 0 {
		return nil
	}
	slices.SortStableFunc(r.List, func(a, b Diagnostic) int {
		return cmp.Or(
			cmp.Compare(a.Pos.Filename, b.Pos.Filename),
			cmp.Compare(a.Pos.Line, b.Pos.Line),
			cmp.Compare(a.Pos.Column, b.Pos.Column),
			cmp.Compare(a.Message, b.Message),
		)
	})
	return slices.Compact(r.List)
}

// Position parses file:line:column as printed by the go command.
func Position(s string) token.Position {
	at := positionPattern.FindStringSubmatch(s)
	line, _ := strconv.Atoi(at[2])
	column, _ := strconv.Atoi(at[3])
	return token.Position{Filename: at[1], Line: line, Column: column}
}

// positionPattern matches a file, and a line and a column if they are known.
var positionPattern = regexp.MustCompile(`^(?:-|(.*?)(?::(\d+))?(?::(\d+))?)$`)
