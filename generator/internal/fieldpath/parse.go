// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package fieldpath

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Kind is the kind of a step.
type Kind int

const (
	// Name selects a field by its JSON name.
	Name Kind = iota
	// All takes every element of a list, or every value of a map.
	All
	// Key takes the value of a map under a key.
	Key
	// Match takes the elements of a list that satisfy all Conditions.
	Match
)

// Step is one step of a path.
type Step struct {
	Kind       Kind
	Value      string      // the JSON name or the key
	Conditions []Condition // of Match: their paths lead from the element
	Offset     int         // bytes from the start of the parsed text
}

// String returns the step in path syntax.
func (s Step) String() string {
	switch s.Kind {
	case All:
		return "[*]"
	case Key:
		return bracketedKey(s.Value)
	case Name:
		if !isPlainName(s.Value) {
			return bracketedKey(s.Value)
		}
	case Match:
		var all []string
		for _, c := range s.Conditions {
			all = append(all, c.Text("@"))
		}
		return "[?(" + strings.Join(all, " && ") + ")]"
	}
	return "." + s.Value
}

func bracketedKey(name string) string {
	return "['" + strings.NewReplacer("\\", "\\\\", "'", "\\'").Replace(name) + "']"
}

// Path is a parsed path.
type Path []Step

// String returns the path in canonical syntax.
func (p Path) String() string {
	var b strings.Builder
	for _, s := range p {
		b.WriteString(s.String())
	}
	return b.String()
}

// Error is a syntax error and its position.
type Error struct {
	Offset  int // in bytes
	Message string
}

func (e *Error) Error() string { return e.Message }

// Parse parses a path. Any error is an *Error.
func Parse(text string) (Path, error) {
	p := parser{text: text}
	if strings.HasPrefix(text, "$") {
		p.offset = 1
	}
	var out Path
	for p.offset < len(p.text) {
		step, err := p.parseStep()
		if err != nil {
			return nil, err
		}
		out = append(out, step)
	}
	if len(out) == 0 {
		return nil, p.errorf(0, "the path is empty; write it like .spec.nodeName")
	}
	if out[0].Kind != Name {
		return nil, p.errorf(out[0].Offset, "a path begins with a field, like .spec.nodeName")
	}
	return out, nil
}

type parser struct {
	text   string
	offset int
}

func (p *parser) errorf(offset int, format string, args ...any) *Error {
	return &Error{Offset: offset, Message: fmt.Sprintf(format, args...)}
}

func (p *parser) parseStep() (Step, error) {
	start := p.offset
	rest := p.text[p.offset:]
	switch {
	case strings.HasPrefix(rest, ".."):
		return Step{}, p.errorf(start, "recursive descent (..) is not supported; write the whole path")
	case rest[0] == '.':
		p.offset++
		name := p.parseName()
		if name == "" {
			return Step{}, p.errorf(p.offset, "expected a field name after the dot")
		}
		return Step{Kind: Name, Value: name, Offset: start}, nil
	case strings.HasPrefix(rest, "[*]"):
		p.offset += len("[*]")
		return Step{Kind: All, Offset: start}, nil
	case strings.HasPrefix(rest, "[?"):
		return p.parseFilter()
	case strings.HasPrefix(rest, "['"), strings.HasPrefix(rest, "[\""):
		return p.parseKey()
	case unquotedKeyPattern.MatchString(rest):
		m := unquotedKeyPattern.FindStringSubmatch(rest)
		return Step{}, p.errorf(start, "a key needs quotes; write ['%s']", truncatedText(m[1]))
	case rest[0] == '[':
		return Step{}, p.errorf(start, "expected [*] or ['key']; positions and slices are not supported")
	case p.offset == 0:
		return Step{}, p.errorf(start, "a path begins with a dot")
	default:
		r, _ := utf8.DecodeRuneInString(rest)
		return Step{}, p.errorf(start, "unexpected %q; expected . or [, and keys of maps in brackets, as in ['key']", r)
	}
}

// unquotedKeyPattern matches a key that lacks its quotes, such as [app.kubernetes.io/name].
var unquotedKeyPattern = regexp.MustCompile(`^\[([\pL_][^\]'":*?@]*)\]`)

// truncatedText returns s for a message: valid UTF-8, and truncated.
func truncatedText(s string) string {
	if len(s) > 60 {
		s = s[:60] + "…"
	}
	return strings.ToValidUTF8(s, "?")
}

func (p *parser) parseName() string {
	rest := strings.TrimLeftFunc(p.text[p.offset:], func(r rune) bool {
		return unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("_-$", r)
	})
	name := p.text[p.offset : len(p.text)-len(rest)]
	p.offset += len(name)
	return name
}

func (p *parser) parseKey() (Step, error) {
	start := p.offset
	quote := p.text[p.offset+1]
	p.offset += 2
	var key strings.Builder
	for p.offset < len(p.text) {
		c := p.text[p.offset]
		switch {
		case c == '\\' && p.offset+1 < len(p.text):
			key.WriteByte(p.text[p.offset+1])
			p.offset += 2
			continue
		case c == quote && strings.HasPrefix(p.text[p.offset+1:], "]"):
			p.offset += 2
			if key.Len() == 0 {
				return Step{}, p.errorf(start, "the key is empty")
			}
			if !isPrintable(key.String()) {
				return Step{}, p.errorf(start, "the key has unprintable characters")
			}
			return Step{Kind: Key, Value: key.String(), Offset: start}, nil
		case c == quote:
			return Step{}, p.errorf(p.offset+1, "expected ] after the key")
		}
		key.WriteByte(c)
		p.offset++
	}
	return Step{}, p.errorf(start, "the key is not closed; write it like ['app']")
}

func isPrintable(s string) bool {
	for _, r := range s {
		if !unicode.IsPrint(r) || r == utf8.RuneError {
			return false
		}
	}
	return true
}

// Dotted returns a path with a leading dot for text that lacks it, such as kubectl's {.spec.a}.
func Dotted(s string) string { return "." + strings.TrimLeft(strings.Trim(s, "{}'\"`"), "$@./") }

// isPlainName reports whether a name can follow a dot.
func isPlainName(name string) bool {
	p := parser{text: name}
	return name != "" && p.parseName() == name
}
