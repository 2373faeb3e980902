// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package target

import (
	"bytes"
	"cmp"
	"flag"
	"fmt"
	"io"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/indexer-gen/indexer-gen/templates"
)

// record holds the options of an emitted file, as written in that file. It is a command line
// that regenerates the file if run in the file's directory. Its paths are relative to that
// directory, so that they are the same in every clone.
type record struct {
	all    bool
	header Header
	types  string // import path of the types' package, if another one
	name   string // name of the emitted package, if given
}

// String returns "" if no option was given.
func (r *record) String() string {
	var words []string
	if r.all {
		words = append(words, "-all")
	}
	if r.header.File != "" {
		words = append(words, "-header="+quoted(r.header.String()))
	}
	if r.types != "" {
		words = append(words, "-o=.")
		if r.name != "" {
			words = append(words, "-package="+r.name)
		}
		words = append(words, r.types)
	}
	return strings.Join(words, " ")
}

// shown returns the record for messages.
func (r *record) shown() string { return cmp.Or(r.String(), "no options") }

// quoted quotes a value that is not a single word.
func quoted(value string) string {
	if strings.ContainsAny(value, " \"") {
		return strconv.Quote(value)
	}
	return value
}

// recorded parses the record in an emitted file. A file without a record has no options. If
// the record is invalid, recorded returns an error and the line number.
func recorded(text []byte) (r record, line int, err error) {
	before, after, _ := bytes.Cut(text, []byte(templates.Generated+"\n"))
	line = bytes.Count(before, []byte("\n")) + 1
	for row := range strings.Lines(string(after)) {
		line++
		words, ok := strings.CutPrefix(strings.TrimSpace(row), templates.Options)
		switch {
		case ok:
			return r, line, r.parse(words)
		case strings.HasPrefix(row, "package "):
			return r, line, nil
		}
	}
	return r, line, nil
}

// EmittedFor returns the import path of the package for whose types a file was emitted, or ""
// if it is the package beside the file. ok is false if the text is no emitted file.
func EmittedFor(text []byte) (types string, ok bool) {
	r, _, err := recorded(text)
	return r.types, err == nil && isEmitted(text)
}

// TypesElsewhere returns a function that returns the package that an emitted file records as that
// of its types, or "". It returns nil if the options name the packages of all types: an output
// directory is for them alone.
func TypesElsewhere(cfg Options) func(text []byte) string {
	if cfg.Output != "" || cfg.gives("o") || cfg.AnyModule {
		return nil
	}
	return func(text []byte) string {
		types, ok := EmittedFor(text)
		if !ok {
			return ""
		}
		return types
	}
}

// isEmitted reports whether a file has the line that marks emitted files.
func isEmitted(text []byte) bool { return bytes.Contains(text, []byte(templates.Generated+"\n")) }

func (r *record) parse(text string) error {
	var words []string
	for rest := strings.TrimSpace(text); rest != ""; rest = strings.TrimSpace(rest) {
		end := strings.IndexByte(rest+" ", ' ')
		word := rest[:end]
		if i := strings.IndexByte(word, '"'); i >= 0 {
			quote, err := strconv.QuotedPrefix(rest[i:])
			if err != nil {
				return fmt.Errorf("%s: the quote is not closed", word)
			}
			value, err := strconv.Unquote(quote)
			if err != nil {
				return fmt.Errorf("%s: %w", quote, err)
			}
			word, end = rest[:i]+value, i+len(quote)
		}
		words, rest = append(words, word), rest[end:]
	}
	flags := flag.NewFlagSet("", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	flags.BoolVar(&r.all, "all", false, "")
	flags.Var(&r.header, "header", "")
	flags.StringVar(&r.name, "package", "", "")
	flags.String("o", "", "") // always the directory of the file
	if err := flags.Parse(words); err != nil {
		return err
	}
	r.types = flags.Arg(0)
	return nil
}

// relativeTo returns the header as a file in dir records it. The path is relative, unless an
// absolute path outside the module of dir was given.
func (h Header) relativeTo(dir string, cfg Options) Header {
	file := filepath.Clean(absolute(cfg.Dir, h.File))
	root := filepath.Dir(ModuleFile(dir)) + string(filepath.Separator)
	if filepath.IsAbs(h.File) && !strings.HasPrefix(file, root) {
		return h
	}
	if rel, err := filepath.Rel(dir, file); err == nil {
		h.File = filepath.ToSlash(rel)
	}
	return h
}
