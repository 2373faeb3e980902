// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package templates

import (
	"strings"
	"unicode/utf8"

	"github.com/dave/jennifer/jen"

	"github.com/indexer-gen/indexer-gen/templates/model"
)

// commentWidth is the column at which comments are wrapped. The others say how long a condition, a
// composite literal or a signature may get before it is split.
const (
	commentWidth    = 110
	expressionWidth = 84
	signatureWidth  = 108
)

// doc adds a comment above the next declaration, with // on each line: jennifer alone would
// write /* */. A blank line in text separates paragraphs.
func doc(f *jen.File, text string) {
	for _, line := range comment(text) {
		f.Comment(line)
	}
}

// declare adds a documented declaration after a blank line.
func declare(f *jen.File, text string, decl jen.Code) {
	f.Line()
	doc(f, text)
	f.Add(decl)
}

func comment(text string) []string {
	var lines []string
	for i, para := range strings.Split(text, "\n\n") {
		if i > 0 {
			lines = append(lines, "//")
		}
		line := "//"
		for _, word := range strings.Fields(para) {
			if line != "//" && utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) > commentWidth {
				lines = append(lines, line)
				line = "//"
			}
			line += " " + word
		}
		lines = append(lines, line)
	}
	return lines
}

// goType prints a type.
func goType(t model.GoType) *jen.Statement {
	if t.Elem != nil {
		return jen.Index(jen.Lit(int(t.Array))).Add(goType(*t.Elem))
	}
	out := ident(t.Ident)
	if len(t.Args) > 0 {
		args := make([]jen.Code, len(t.Args))
		for i, a := range t.Args {
			args[i] = goType(a)
		}
		out = out.Types(args...)
	}
	return out
}

func ident(id model.Ident) *jen.Statement {
	if id.Path == "" {
		return jen.Id(id.Name)
	}
	return jen.Qual(id.Path, id.Name)
}

// object prints the pointer to a root type.
func object(t *model.Type) *jen.Statement { return jen.Op("*").Add(ident(t.Object)) }

// sequence prints the type of a sequence of objects.
func sequence(t *model.Type) *jen.Statement {
	return jen.Qual(model.Iter, "Seq").Types(object(t))
}

// fields prints a multi-line composite literal: each key and value on its own line.
func fields(kv ...jen.Code) func(*jen.Group) {
	return func(g *jen.Group) {
		for i := 0; i < len(kv); i += 2 {
			g.Line().Add(kv[i]).Op(":").Add(kv[i+1])
		}
		if len(kv) > 0 {
			g.Line()
		}
	}
}

// literal prints a composite literal, on one line if it is short.
func literal(t *jen.Statement, kv ...jen.Code) *jen.Statement {
	var pairs []jen.Code
	for i := 0; i < len(kv); i += 2 {
		pairs = append(pairs, jen.Add(kv[i]).Op(":").Add(kv[i+1]))
	}
	line := t.Clone().Values(pairs...)
	if len(line.GoString()) <= expressionWidth {
		return line
	}
	return t.ValuesFunc(fields(kv...))
}

// signature prints the signature of a function, with each parameter on a line of its own if it is long.
func signature(f *jen.File, head *jen.Statement, params []jen.Code, result jen.Code) *jen.Statement {
	line := head.Clone().Params(params...).Add(result)
	var text strings.Builder
	if err := line.RenderWithFile(&text, f); err == nil && text.Len() <= signatureWidth {
		return line
	}
	lines := jen.Options{Open: "(", Close: ")", Separator: ",", Multi: true}
	return head.Custom(lines, params...).Add(result)
}

// article gives "a Device", "an Ingress", "a User" and "an APIService".
func article(name string) string {
	an := "AEIO"
	if len(name) > 1 && name[1] >= 'A' && name[1] <= 'Z' {
		an = "AEFHILMNORSX" // an initialism, spelled out
	}
	switch {
	case strings.IndexByte(an, name[0]) >= 0, strings.HasPrefix(name, "Up"), strings.HasPrefix(name, "Hour"):
		return "an " + name
	}
	return "a " + name
}
