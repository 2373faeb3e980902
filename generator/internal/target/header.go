// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package target

import (
	"errors"
	"fmt"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
)

// Header is the text at the start of emitted files. The zero value is no header.
type Header struct {
	File string // a file of comments; relative to Config.Dir
	Year string // replaces YEAR after a space in the text, unless empty
}

const yearOption = ",year="

// Set parses file or file,year=Y. With [Header.String] it implements flag.Value.
func (h *Header) Set(text string) error {
	file, year, found := strings.Cut(text, yearOption)
	if found && (file == "" || strings.TrimSpace(year) == "") {
		return errors.New("write file,year=Y")
	}
	*h = Header{file, year}
	return nil
}

// String returns the header in the format of [Header.Set].
func (h *Header) String() string {
	if h.Year == "" {
		return h.File
	}
	return h.File + yearOption + h.Year
}

// Text returns the text of a header. It returns an error if the text is not comments. The file is
// relative to dir.
func (h *Header) Text(dir string) (string, error) {
	if h.File == "" {
		return "", nil
	}
	file := h.File
	if !filepath.IsAbs(file) {
		file = filepath.Join(dir, file)
	}
	content, err := os.ReadFile(file)
	if err != nil {
		return "", fmt.Errorf("%w; choose another with -header", err)
	}
	text := string(content)
	if h.Year != "" {
		text = strings.ReplaceAll(text, " YEAR", " "+h.Year)
	}
	return text, CheckHeader(h.File, text)
}

// CheckHeader returns an error for a header that is not comments, or that changes how the
// file is built.
func CheckHeader(file, text string) error {
	for line := range strings.Lines(text) {
		if isGoDirective(strings.TrimSpace(line)) {
			return fmt.Errorf(
				"header %s has %s, which would change how the emitted file is built; leave it out",
				file, strings.TrimSpace(line))
		}
	}
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, file, text+"\n\npackage p\n", parser.ParseComments)
	if err != nil || f.Name.Name != "p" || len(f.Decls) > 0 ||
		fset.Position(f.Package).Line != strings.Count(text, "\n")+3 {
		return fmt.Errorf("header %s is not a Go comment; begin its lines with //", file)
	}
	return nil
}

// isGoDirective reports whether a comment is a directive of the go command.
func isGoDirective(line string) bool {
	return strings.HasPrefix(line, "//go:") || strings.HasPrefix(line, "//line ") ||
		strings.HasPrefix(line, "//export ") ||
		strings.HasPrefix(strings.TrimSpace(strings.TrimPrefix(line, "//")), "+build")
}
