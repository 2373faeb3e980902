// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package templates

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/indexer-gen/indexer-gen/templates/model"
)

// commentWidth is the column at which comments are wrapped. The others say how long a condition, a
// composite literal or a signature may get before it is split.
const (
	commentWidth    = 110
	expressionWidth = 84
	signatureWidth  = 160
)

// wrapComment wraps text as a comment.
func wrapComment(text string) string {
	if text == "" {
		return ""
	}
	var out strings.Builder
	line := "//"
	for _, word := range strings.Fields(text) {
		if line != "//" && utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) > commentWidth {
			out.WriteString(line + "\n")
			line = "//"
		}
		line += " " + word
	}
	return out.String() + line + "\n"
}

// goType prints a type.
func goType(t model.GoType) string {
	if t.Elem != nil {
		return "[" + strconv.FormatInt(t.Array, 10) + "]" + goType(*t.Elem)
	}
	if len(t.Args) == 0 {
		return identExpr(t.Ident)
	}
	var args []string
	for _, a := range t.Args {
		args = append(args, goType(a))
	}
	return identExpr(t.Ident) + "[" + strings.Join(args, ", ") + "]"
}

func identExpr(id model.Ident) string {
	if id.Path == "" {
		return id.Name
	}
	return "«" + id.Path + "»." + id.Name
}

// objectType prints the pointer to a root type.
func objectType(t *model.Type) string { return "*" + identExpr(t.Object) }

// sequenceType prints the type of a sequence of objects.
func sequenceType(t *model.Type) string { return "«iter».Seq[" + objectType(t) + "]" }

// bracedLiteralElements prints the elements of a composite literal, each key and value on its own line.
func bracedLiteralElements(kv ...string) string {
	var out strings.Builder
	for i := 0; i < len(kv); i += 2 {
		out.WriteString("\n" + kv[i] + ": " + kv[i+1] + ",")
	}
	if len(kv) > 0 {
		out.WriteString("\n")
	}
	return "{" + out.String() + "}"
}

// literalExpr prints a composite literal, on one line if it is short.
func literalExpr(t string, kv ...string) string {
	var pairs []string
	for i := 0; i < len(kv); i += 2 {
		pairs = append(pairs, kv[i]+": "+kv[i+1])
	}
	if line := t + "{" + strings.Join(pairs, ", ") + "}"; printedCodeLength(line) <= expressionWidth {
		return line
	}
	return t + bracedLiteralElements(kv...)
}

// printedCodeLength returns the length of code. It takes packages by the last element of their paths.
func printedCodeLength(code string) int {
	code = quotedPackage.ReplaceAllStringFunc(code, func(name string) string {
		return name[strings.LastIndex(name, "/")+1:]
	})
	return len(strings.NewReplacer("«", "", "»", "", "‹", "", "›", "").Replace(code))
}

// signatureExpr prints the signature of a function, with each parameter on a line of its own if it is long.
func (f *file) signatureExpr(head string, params []string, result string) string {
	line := head + "(" + strings.Join(params, ", ") + ") " + result
	if len(f.resolvePackageNames(line, map[string]string{})) <= signatureWidth {
		return line
	}
	return head + "(\n" + strings.Join(params, ",\n") + ",\n) " + result
}

// declareFunction declares a function or method. In files for caches of other projects, short ones are on one line.
func (f *file) declareFunction(doc, head string, params []string, result, body string) {
	head = f.signatureExpr(head, params, result)
	if f.pkg.Target.Foreign() && !strings.Contains(head+body, "\n") {
		f.declare(doc, head+" { "+body+" }") // gofmt splits it if it is long
		return
	}
	f.declare(doc, head+" {\n"+body+"\n}")
}

// withArticle gives "a Device", "an Ingress", "a User" and "an APIService".
func withArticle(name string) string {
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
