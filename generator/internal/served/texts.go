// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package served

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/types"
	"slices"
	"strings"

	"sigs.k8s.io/controller-tools/pkg/markers"

	"github.com/indexer-gen/indexer-gen/generator/internal/diag"
	"github.com/indexer-gen/indexer-gen/generator/internal/gotypes"
	"github.com/indexer-gen/indexer-gen/generator/internal/load"
)

// Texts are the values that the source of a type knows. API servers refuse others than Enum. Constants are no closed
// set.
type Texts struct {
	Enum, Constants   []string
	constantsTypeName string // of Constants
	formatVerb        string // formats a value: %q, or %v if values are no strings
}

// TextsOf returns the texts that a field, or the elements of a list in it, may have. t is their type, and from is the
// package of the marker that compares them. The field is nil if the value is that of a map.
func TextsOf(p *load.Program, field *types.Var, t types.Type, from *types.Package) (out Texts) {
	if out.formatVerb = "%v"; gotypes.IsText(t) {
		out.formatVerb = "%q"
	}
	if field != nil && p.Checked[field.Pkg().Path()] != nil {
		name := "kubebuilder:validation:Enum"
		if _, list := gotypes.Deref(field.Type()).Underlying().(*types.Slice); list {
			name = "kubebuilder:validation:items:Enum"
		}
		if file, f := load.Declaration(p.Checked[field.Pkg().Path()], field); f != nil {
			out.Enum = enumAbove(file, f, name)
		}
	}
	named, ok := types.Unalias(t).(*types.Named)
	if !ok || named.Obj().Pkg() == nil {
		return out
	}
	home := named.Obj().Pkg()
	if pkg := p.Checked[home.Path()]; pkg != nil && out.Enum == nil {
		if spec := load.Specs(pkg)[named.Obj().Name()]; spec != nil {
			out.Enum = enumAbove(load.FileOf(pkg, spec), spec, "kubebuilder:validation:Enum")
		}
	}
	for _, pkg := range []*types.Package{home, from} {
		for _, name := range pkg.Scope().Names() {
			c, ok := pkg.Scope().Lookup(name).(*types.Const)
			if ok && types.Identical(c.Type(), t) && c.Val().Kind() == constant.String {
				out.Constants = append(out.Constants, constant.StringVal(c.Val()))
			}
		}
	}
	out.constantsTypeName = named.Obj().Name()
	return out
}

// enumAbove returns the values of the last Enum marker of that name above a type or a field, or nil.
func enumAbove(file *ast.File, of ast.Node, name string) (values []string) {
	EachCommentOf(file, of, func(c *ast.Comment, _ bool) {
		text, ok := strings.CutPrefix(strings.TrimSpace(strings.TrimPrefix(c.Text, "//")), "+"+name)
		if !ok || !strings.HasPrefix(text, "=") && !strings.HasPrefix(text, ":=") {
			return
		}
		def, err := markers.MakeDefinition(name, markers.DescribesField, []any(nil))
		if err != nil {
			return
		}
		if list, err := def.Parse("+" + name + text); err == nil {
			values = nil
			for _, value := range list.([]any) {
				values = append(values, fmt.Sprint(value))
			}
		}
	})
	return values
}

// Unknown returns the reason why no object has a text, or probably none, or "".
func (t Texts) Unknown(text string) string {
	if t.Enum == nil || text == "" || slices.Contains(t.Enum, text) {
		return t.Misspelled(text)
	}
	instead := t.Enum
	if best := diag.Nearest(text, t.Enum); best != "" {
		instead = []string{best}
	}
	quoted := make([]string, len(instead))
	for i, value := range instead {
		quoted[i] = fmt.Sprintf(t.formatVerb, value)
	}
	return fmt.Sprintf("the Enum has no "+t.formatVerb+"; write %s", text, strings.Join(quoted, " or "))
}

// Misspelled returns the reason why a text is probably a known one that is misspelled, or "". A text that contains a
// known one is another word, as HTTPS contains HTTP. So is one that has other digits.
func (t Texts) Misspelled(text string) string {
	known := t.Enum
	if known == nil {
		known = t.Constants
	}
	if slices.Contains(known, text) {
		return ""
	}
	lower := strings.ToLower(text)
	for _, value := range known {
		other := strings.ToLower(value)
		near := diag.Distance(lower, other) <= min(2, len(text)/3) && onlyDigits(text) == onlyDigits(value) &&
			!strings.Contains(lower, other)
		switch {
		case !near && lower != other:
		case t.Enum != nil:
			return fmt.Sprintf("the Enum has "+t.formatVerb+"; write that", value)
		default:
			return fmt.Sprintf("there is a constant %q; write that or, if %q is another value, declare a constant of type %s",
				value, text, t.constantsTypeName)
		}
	}
	return ""
}

func onlyDigits(text string) string {
	return strings.Map(func(r rune) rune {
		if r < '0' || '9' < r {
			return -1
		}
		return r
	}, text)
}
