// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package index

import (
	"errors"
	"fmt"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"github.com/indexer-gen/indexer-gen/generator/internal/collect"
	"github.com/indexer-gen/indexer-gen/generator/internal/fieldpath"
	"github.com/indexer-gen/indexer-gen/generator/internal/gotypes"
	"github.com/indexer-gen/indexer-gen/generator/internal/served"
	"github.com/indexer-gen/indexer-gen/templates/model"
)

// resolveIfOption returns the conditions of if=, for the values of a part. It reports errors.
func (b *Builder) resolveIfOption(m *collect.Marker, firstPart *model.Part) (out []*model.Condition) {
	for _, word := range m.Options.Words("if") {
		if m.Reported(word) {
			continue
		}
		out = append(out, &model.Condition{Text: word.Text}) // also of a wrong one, which is like no other
		c, err := fieldpath.ParseCondition(word.Text)
		var syntax *fieldpath.Error
		if errors.As(err, &syntax) {
			b.errorf(m.At(word.Offset+syntax.Offset), "if=%s: %s", word.Text, syntax.Message)
			continue
		}
		w := b.Resolver.newWalk(c.Path)
		condition, bad := w.resolveCondition(c)
		if n := len(c.Path) - 1; bad == nil && c.Path[n].Kind == fieldpath.Match {
			if firstPart.Literal == "" || firstPart.Steps != nil {
				b.errorf(m.At(word.Offset), "if=%s: %s", word.Text, fieldpath.OneFilter)
			} else {
				firstPart.Steps = w.part.Steps
			}
		}
		if bad != nil {
			bad.message = "if=" + word.Text + ": " + bad.message + b.Resolver.resolvingHintOrAdvice(bad)
			b.reportPathError(m.At(word.Offset+bad.offset), bad)
			continue
		}
		out[len(out)-1] = condition
	}
	all := out
	for i, step := range firstPart.Steps {
		for _, c := range step.Conditions {
			of := *c
			of.Steps = slices.Concat(firstPart.Steps[:i], c.Steps)
			all = append(all[:len(all):len(all)], &of)
		}
	}
	if one, other := contradictoryConditions(all); one != nil {
		b.errorf(m.At(m.Options.Offset("if")), "no object satisfies %s and %s; remove one of them or, to index "+
			"objects that satisfy either, write a marker of one name for each", one.Text, other.Text)
	}
	return out
}

// contradictoryConditions returns two conditions that exclude each other, or nil.
func contradictoryConditions(all []*model.Condition) (one, other *model.Condition) {
	path := func(c *model.Condition) string { return (&model.Part{Steps: c.Steps}).Prefix(len(c.Steps) - 1) }
	for i, c := range all {
		for _, d := range all[:i] {
			equal := c.Literal == d.Literal
			if path(c) != "" && path(c) == path(d) && (c.Values == nil && equal && c.Negated != d.Negated ||
				!equal && !c.Negated && !d.Negated && c.Literal != "" && d.Literal != "" ||
				!d.Negated && d.Literal != "" && c.Values != nil && !c.GroupVersion &&
					!slices.Contains(c.Values, d.Value) && !(c.Empty && d.Value == "")) {
				return d, c
			}
		}
	}
	return nil, nil
}

// resolveCondition resolves a condition on the type where the walk begins.
func (w *pathWalk) resolveCondition(c fieldpath.Condition) (*model.Condition, *pathError) {
	for i := range w.path {
		if bad := w.takeStep(i); bad != nil {
			return nil, bad
		}
	}
	c.Path = w.path
	if c.Path[len(c.Path)-1].Kind == fieldpath.Match {
		return &model.Condition{Text: c.Text("")}, nil
	}
	out, why := w.conditionOnReachedValue(c)
	switch {
	case why != "" && w.outerWalk != nil:
		return nil, w.errorAt(0, "the field %s %s", strings.TrimPrefix(w.path.String(), "."), why)
	case why != "":
		return nil, &pathError{offset: c.Offset, message: w.path.String() + " " + why}
	}
	return out, nil
}

// conditionOnReachedValue returns a condition on the value where the walk ends, or the reason why there is none.
func (w *pathWalk) conditionOnReachedValue(c fieldpath.Condition) (*model.Condition, string) {
	t, steps, at := w.currentType, w.part.Steps, ""
	if w.outerWalk != nil {
		at = "@"
	}
	last := steps[len(steps)-1]
	out := &model.Condition{Text: c.Text(at), Steps: steps, Negated: c.Negated, Value: c.Value, Basic: model.OtherBasic}
	basic, _ := t.Underlying().(*types.Basic)
	if basic != nil && basicKeyError(basic) == "" {
		out.Basic = basicKind(t)
	}
	is := "is " + w.resolver.typeText(t)
	meant := func(value string, quoted, negated bool) string {
		c.Literal, c.Value, c.Quoted, c.Negated = true, value, quoted, negated
		return c.Text(at)
	}
	switch {
	case out.Basic == model.BoolBasic && (!c.Literal || c.Quoted):
		return nil, fmt.Sprintf("%s; write %s or %s", is, meant("true", false, false), meant("false", false, false))
	case !c.Literal && gotypes.IsText(t):
		return out, ""
	case !c.Literal:
		switch t.Underlying().(type) {
		case *types.Slice, *types.Map:
			out.Sized = true
			return out, ""
		}
		switch {
		case last.Pointer:
			return out, ""
		case out.Basic == model.OtherBasic:
			return nil, is + ", which is never absent; remove the condition"
		}
		return nil, is + ", which is never absent; compare it with a value, or remove the condition"
	case gotypes.IsText(t) && !c.Quoted:
		return nil, fmt.Sprintf("%s; write %s", is, meant(c.Value, true, c.Negated))
	case out.Basic == model.OtherBasic:
		return nil, is + ", and conditions compare strings, booleans and integers"
	}
	out.Literal = c.Value
	if c.Quoted {
		out.Literal = strconv.Quote(c.Value)
	}
	if c.Quoted && !gotypes.IsText(t) {
		if number, ok := fieldpath.Literal(c.Value); ok && isValueOf(number, t) {
			return nil, fmt.Sprintf("%s; write %s", is, meant(number, false, c.Negated))
		}
		return nil, fmt.Sprintf("%s; compare it with an integer, as in %s", is, meant("3", false, c.Negated))
	}
	if !isValueOf(out.Literal, t) {
		return nil, fmt.Sprintf("%s, and %s is no value of it", is, out.Literal)
	}
	if missingKeyGivesZero(steps) && (out.Literal == `""` || out.Literal == "0" || out.Literal == "false") {
		return nil, is + ", and an absent key cannot be told from " + out.Literal + "; compare it with another value"
	}
	if out.Basic == model.BoolBasic {
		return out, ""
	}
	texts := served.TextsOf(w.resolver.program, w.currentValueField(), t, w.resolver.markerPackage)
	if why := texts.Unknown(c.Value); why != "" {
		return nil, is + ", and " + why
	}
	return out, ""
}

// missingKeyGivesZero reports whether a value is zero if a map on the way lacks a key: no pointer after the lookup is
// nil then.
func missingKeyGivesZero(steps []*model.Step) bool {
	for _, step := range slices.Backward(steps) {
		if step.Pointer || step.Op == model.Lookup {
			return !step.Pointer
		}
	}
	return false
}

// isValueOf reports whether a literal is a value of a type.
func isValueOf(literal string, t types.Type) bool {
	basic, ok := t.Underlying().(*types.Basic)
	if !ok {
		return false
	}
	_, err := types.Eval(token.NewFileSet(), nil, token.NoPos, "[]"+basic.Name()+"{"+literal+"}")
	return err == nil
}
