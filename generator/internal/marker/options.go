// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package marker

import (
	"slices"
	"strconv"
	"strings"
)

// Word is one value in a marker, with its position.
type Word struct {
	Text   string
	Offset int // bytes from the +
}

// writtenOption is an option as written in a marker.
type writtenOption struct {
	Name      string
	offset    int
	values    []Word
	isList    bool // in braces, or separated by ;
	hasEquals bool // an = follows the name
}

// Options are the options of one marker.
type Options []writtenOption

func (g Options) lookup(name string) (writtenOption, bool) {
	i := slices.IndexFunc(g, func(o writtenOption) bool { return o.Name == name })
	if i < 0 {
		return writtenOption{}, false
	}
	return g[i], true
}

// Has reports whether the marker has the option, with or without a value.
func (g Options) Has(name string) bool { _, ok := g.lookup(name); return ok }

// Word returns the first value of an option, or the zero Word.
func (g Options) Word(name string) Word {
	if o, ok := g.lookup(name); ok && len(o.values) > 0 {
		return o.values[0]
	}
	return Word{}
}

// Text returns the text of the first value of an option, or "".
func (g Options) Text(name string) string { return g.Word(name).Text }

// Words returns the values of an option.
func (g Options) Words(name string) []Word { o, _ := g.lookup(name); return o.values }

// Quoted returns the text of an option that is in quotes, or "".
func (g Options) Quoted(name string) string { return Unquoted(g.Word(name)) }

// Unquoted returns the text of a word in quotes, or "" for another.
func Unquoted(w Word) string {
	text, err := strconv.Unquote(w.Text)
	if err != nil || w.Text[0] != '"' {
		return ""
	}
	return text
}

// Flag reports whether an option is true.
func (g Options) Flag(name string) bool { return g.Text(name) == "true" }

// Paths returns the values of path=, or else of paths=.
func (g Options) Paths() []Word {
	if o, ok := g.lookup("path"); ok {
		return o.values
	}
	o, _ := g.lookup("paths")
	return o.values
}

// Offset returns the offset of an option in bytes from the +, or 0 if it is missing.
func (g Options) Offset(name string) int {
	o, _ := g.lookup(name)
	return o.offset
}

// optionScanner splits the text after a marker's name into options. It does not know
// which options exist; check validates them.
type optionScanner struct {
	markerText string
	offset     int
	errors     []Error
}

func (s *optionScanner) addError(offset int, message string) {
	s.errors = append(s.errors, Error{offset, message})
}

// scanOptions scans name=value,name=value up to the end of the text or the first error.
func (s *optionScanner) scanOptions() (out Options) {
	for s.offset < len(s.markerText) && len(s.errors) == 0 {
		o := writtenOption{offset: s.offset}
		start := s.offset
		for s.offset < len(s.markerText) && s.markerText[s.offset] != '=' && s.markerText[s.offset] != ',' {
			s.offset++
		}
		o.Name = strings.TrimSpace(s.markerText[start:s.offset])
		if s.offset < len(s.markerText) && s.markerText[s.offset] == '=' {
			o.hasEquals = true
			s.offset++
			s.scanValue(&o)
		}
		out = append(out, o)
		switch {
		case s.offset >= len(s.markerText) || len(s.errors) > 0:
		case s.markerText[s.offset] != ',' && (strings.HasPrefix(strings.TrimLeft(s.markerText[s.offset:], " \t"), "#") ||
			strings.HasPrefix(strings.TrimLeft(s.markerText[s.offset:], " \t"), "//")):
			s.addError(s.offset,
				"a marker ends with its line, and a comment cannot follow; write "+s.markerText[start:s.offset])
		case s.markerText[s.offset] != ',':
			s.addError(s.offset, "options are separated by commas")
		case s.offset == len(s.markerText)-1:
			s.addError(s.offset, "an option is missing after the comma")
		default:
			s.offset++
		}
	}
	return out
}

func (s *optionScanner) scanValue(o *writtenOption) {
	if !strings.HasPrefix(s.markerText[s.offset:], "{") {
		o.values = append(o.values, s.scanWord(",;", o.Name))
		for s.offset < len(s.markerText) && s.markerText[s.offset] == ';' && len(s.errors) == 0 {
			o.isList = true
			s.offset++
			o.values = append(o.values, s.scanWord(",;", o.Name))
		}
		return
	}
	open := s.offset
	o.isList = true
	s.offset++
	for more := false; s.offset < len(s.markerText) && len(s.errors) == 0; {
		if s.markerText[s.offset] == '}' && !more {
			s.offset++
			return
		}
		o.values = append(o.values, s.scanWord(",;}", o.Name))
		if more = s.offset < len(s.markerText) && strings.IndexByte(",;", s.markerText[s.offset]) >= 0; more {
			s.offset++
		}
	}
	if len(s.errors) == 0 {
		s.addError(open, "the brace { is not closed")
	}
}

// scanWord scans a quoted string, or bare text up to one of the characters in ends. Brackets
// protect these characters, as in .metadata.labels['a,b'], and so do quotes in a condition, a text and the value of
// else=, which keep them.
func (s *optionScanner) scanWord(ends, option string) Word {
	for s.offset < len(s.markerText) && s.markerText[s.offset] == ' ' {
		s.offset++
	}
	start, quotes := s.offset, optionKeepsQuotes(option)
	if s.offset < len(s.markerText) && strings.IndexByte("\"`", s.markerText[s.offset]) >= 0 && (!quotes || option == "if") {
		end := strings.IndexByte(s.markerText[s.offset+1:], s.markerText[s.offset])
		if end < 0 {
			s.addError(s.offset, "the quote is not closed")
			return Word{}
		}
		if strings.HasSuffix(s.markerText[:s.offset+end+1], `\`) {
			s.addError(s.offset, "strings have no escapes; leave out the quotes around "+option+"=")
			return Word{}
		}
		s.offset += end + 2
		return Word{s.markerText[start+1 : s.offset-1], start + 1}
	}
	var quote byte
	depth := 0
	for ; s.offset < len(s.markerText); s.offset++ {
		c := s.markerText[s.offset]
		switch {
		case quote != 0:
			if c == '\\' && s.offset+1 < len(s.markerText) {
				s.offset++
			} else if c == quote {
				quote = 0
			}
		case (depth > 0 || quotes) && (c == '\'' || c == '"'):
			quote = c
		case c == '[':
			depth++
		case c == ']':
			depth = max(0, depth-1)
		case depth == 0 && strings.IndexByte(ends, c) >= 0:
			return Word{strings.TrimSpace(s.markerText[start:s.offset]), start}
		}
	}
	return Word{strings.TrimSpace(s.markerText[start:s.offset]), start}
}
