// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package generator

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/printer"
	"go/token"
	"strings"

	"github.com/indexer-gen/indexer-gen/generator/internal/plan"
)

// methodsOf returns the methods declared in Go source, by Type.Method.
func methodsOf(name string, source []byte) (map[string]MethodInfo, error) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, name, source, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	out := map[string]MethodInfo{}
	for _, decl := range file.Decls {
		d, ok := decl.(*ast.FuncDecl)
		if !ok || d.Recv == nil {
			continue
		}
		var text bytes.Buffer
		if err := printer.Fprint(&text, fset, d.Type); err != nil {
			return nil, err
		}
		out[plan.ReceiverOf(d)+"."+d.Name.Name] = MethodInfo{
			Signature: d.Name.Name + oneLine.Replace(strings.TrimPrefix(text.String(), "func")),
			Doc:       strings.Join(strings.Fields(d.Doc.Text()), " "),
		}
	}
	return out, nil
}

// oneLine joins the lines of a long signature.
var oneLine = strings.NewReplacer("(\n\t", "(", ",\n\t", ", ", ",\n)", ")")
