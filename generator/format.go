// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package generator

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/tools/imports"
)

// format returns source as gofmt has it, with imports grouped. Source that does
// not parse, which is a bug of the generator or of a header, is an error that
// shows the lines around the mistake with their numbers.
func format(name string, source []byte) ([]byte, error) {
	out, err := imports.Process(name, source, &imports.Options{
		Comments: true, TabIndent: true, TabWidth: 8, FormatOnly: true,
	})
	if err != nil {
		return nil, fmt.Errorf("the source for %s does not parse: %w\n%s", name, err, around(source, err))
	}
	return out, nil
}

// around numbers the lines near the first syntax error.
func around(source []byte, err error) string {
	at := 1
	var list scanner.ErrorList
	if errors.As(err, &list) && len(list) > 0 {
		at = list[0].Pos.Line
	}
	var b strings.Builder
	for i, line := range strings.Split(string(source), "\n") {
		if n := i + 1; n >= at-5 && n <= at+5 {
			fmt.Fprintf(&b, "%5d\t%s\n", n, line)
		}
	}
	return b.String()
}

// checkHeader refuses a header that is not comments, or that would change how the
// file is built.
func checkHeader(file, text string) error {
	fset := token.NewFileSet()
	for line := range strings.Lines(text) {
		if isDirective(strings.TrimSpace(line)) {
			return fmt.Errorf("header %s has %s, which would change how the emitted file is built; leave it out", file, strings.TrimSpace(line))
		}
	}
	f, err := parser.ParseFile(fset, file, text+"\n\npackage p\n", parser.ParseComments)
	if err == nil && len(f.Decls) == 0 && onlyComments(f, fset, text) {
		return nil
	}
	return fmt.Errorf("header %s is not a Go comment; begin its lines with //", file)
}

// isDirective reports whether a comment means something to the go command.
func isDirective(line string) bool {
	return strings.HasPrefix(line, "//go:") || strings.HasPrefix(line, "//line ") || strings.HasPrefix(line, "//export ") ||
		strings.HasPrefix(strings.TrimSpace(strings.TrimPrefix(line, "//")), "+build")
}

func onlyComments(f *ast.File, fset *token.FileSet, text string) bool {
	return f.Name.Name == "p" && fset.Position(f.Package).Line == strings.Count(text, "\n")+3
}

// readHeader returns the text of a header file, which must be comments.
func readHeader(dir, file string) (string, error) {
	if file == "" {
		return "", nil
	}
	if !filepath.IsAbs(file) {
		file = filepath.Join(dir, file)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return "", err
	}
	return string(text), checkHeader(file, string(text))
}
