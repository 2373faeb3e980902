// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package fieldpath

import (
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Condition is a condition on the value at a path: PATH==LIT, or PATH for a value that is neither absent nor empty.
// The PATH of an object may end with a filter, which an element satisfies.
type Condition struct {
	Path    Path
	Negated bool   // PATH!=LIT or !PATH
	Value   string // the literal, without quotes; "" without Literal
	Literal bool   // the condition compares with Value
	Quoted  bool   // Value is a string
	Offset  int    // bytes from the start of the parsed text
}

// Text returns the condition in canonical syntax, with its path below at.
func (c Condition) Text(at string) string {
	path := at + c.Path.String()
	switch {
	case !c.Literal && c.Negated:
		return "!" + path
	case !c.Literal:
		return path
	}
	quote := ""
	if c.Quoted {
		quote = `"`
		if strings.Contains(c.Value, quote) {
			quote = "'"
		}
	}
	op := "=="
	if c.Negated {
		op = "!="
	}
	return path + op + quote + c.Value + quote
}

// OneFilter says how elements are selected.
const OneFilter = "write one filter at the end, without !, in a state's if=, as in " +
	"if=.status.conditions[?(@.type==\"Ready\" && @.status==\"True\")], or in path="

// ParseCondition parses a condition on an object. Any error is an *Error.
func ParseCondition(text string) (Condition, error) {
	p := parser{text: text}
	c, err := p.parseCondition("")
	if err != nil {
		return c, err
	}
	if p.skipSpaces(); p.offset < len(text) {
		return c, p.errorf(p.offset, "the condition goes on after its end; if several must hold, write if={A,B}")
	}
	return c, nil
}

// literalPattern matches what a condition compares with.
var literalPattern = regexp.MustCompile(`^(?:"([^"\\]*)"|'([^'\\]*)'|(true|false|-?(?:0|[1-9][0-9]*))\b)`)

// operatorPattern matches the operators of other languages too.
var operatorPattern = regexp.MustCompile(`^[=!<>~]+`)

// unquotedLiteralPattern matches a literal that lacks its quotes, and numbers that are no integers.
var unquotedLiteralPattern = regexp.MustCompile(`^[\pL\pN_.+-]+`)

// parseCondition parses a condition whose path begins with at.
func (p *parser) parseCondition(pathPrefix string) (c Condition, _ error) {
	p.skipSpaces()
	c.Offset = p.offset
	if strings.HasPrefix(p.text[p.offset:], "!") {
		c.Negated = true
		p.offset++
	}
	start := p.offset
	if !strings.HasPrefix(p.text[p.offset:], pathPrefix+".") {
		return c, p.errorf(p.offset, "a condition begins with a field, like %s.spec.type", pathPrefix)
	}
	p.offset += len(pathPrefix)
	for p.offset < len(p.text) && (p.text[p.offset] == '.' || p.text[p.offset] == '[') {
		step, err := p.parseStep()
		switch {
		case err != nil:
			return c, err
		case step.Kind == All || step.Kind == Match && (pathPrefix != "" || c.Negated || p.offset < len(p.text)):
			return c, p.errorf(step.Offset, "a condition is on one value, and %s takes several; %s", p.text[step.Offset:p.offset],
				OneFilter)
		}
		c.Path = append(c.Path, step)
	}
	path := p.text[start:p.offset]
	p.skipSpaces()
	rest := p.text[p.offset:]
	op := operatorPattern.FindString(rest)
	switch {
	case op == "":
		return c, nil
	case op != "==" && op != "!=":
		return c, p.errorf(p.offset, "a condition compares with == or !=, not with %s", truncatedText(op))
	case c.Negated:
		return c, p.errorf(c.Offset, "a condition is negated once; write %s!=", path)
	}
	p.offset += len(op)
	p.skipSpaces()
	rest = p.text[p.offset:]
	m := literalPattern.FindStringSubmatch(rest)
	word := unquotedLiteralPattern.FindString(rest)
	switch r, _ := utf8.DecodeRuneInString(word); {
	case m != nil && (m[3] == "" || m[3] == word):
	case QuoteError(rest) != "":
		return c, p.errorf(p.offset, "%s", QuoteError(rest))
	case unicode.IsLetter(r):
		return c, p.errorf(p.offset, "the string in a condition needs quotes; write %s%s\"%s\"", path, op, truncatedText(word))
	default:
		return c, p.errorf(p.offset, "a condition compares with a string in quotes, true, false or an integer, as in "+
			"%s==\"Ready\"", path)
	}
	c.Negated, c.Literal = op == "!=", true
	c.Value, c.Quoted = m[1]+m[2]+m[3], m[3] == ""
	if !isPrintable(c.Value) {
		return c, p.errorf(p.offset, "the string in the condition has unprintable characters")
	}
	p.offset += len(m[0])
	return c, nil
}

// Literal returns a literal of the marker language in Go, and whether text is one.
func Literal(text string) (code string, ok bool) {
	m := literalPattern.FindStringSubmatch(text)
	switch {
	case m == nil || m[0] != text || !isPrintable(m[1]+m[2]):
		return "", false
	case m[3] != "":
		return m[3], true
	}
	return strconv.Quote(m[1] + m[2]), true
}

// QuoteError returns the reason why text that begins with a quote is no literal, or "".
func QuoteError(text string) string {
	switch {
	case text == "" || text[0] != '"' && text[0] != '\'':
		return ""
	case literalPattern.FindString(text) == text:
		return "the string has unprintable characters"
	case literalPattern.MatchString(text):
		return "" // more follows it
	case strings.Contains(text, `\`):
		return `strings have no escapes, and so no backslash; write one with a double quote in single quotes, as in 'x"y'`
	}
	return "the quote is not closed"
}

func (p *parser) skipSpaces() {
	p.offset = len(p.text) - len(strings.TrimLeft(p.text[p.offset:], " \t"))
}

// parseFilter parses [?(@.type=="Ready" && @.reason)].
func (p *parser) parseFilter() (Step, error) {
	step := Step{Kind: Match, Offset: p.offset}
	if !strings.HasPrefix(p.text[p.offset:], "[?(") {
		return step, p.errorf(p.offset, "a filter stands in parentheses, as in [?(@.type==\"Ready\")]")
	}
	for p.offset += len("[?("); ; p.offset += len("&&") {
		c, err := p.parseCondition("@")
		if err != nil {
			return step, err
		}
		step.Conditions = append(step.Conditions, c)
		p.skipSpaces()
		switch rest := p.text[p.offset:]; {
		case strings.HasPrefix(rest, ")]"):
			p.offset += len(")]")
			return step, nil
		case !strings.HasPrefix(rest, "&&"):
			return step, p.errorf(p.offset, "a filter compares with == or !=, joins conditions with &&, and ends with )], "+
				"as in [?(@.type==\"Ready\" && @.reason!=\"A\")]")
		}
	}
}
