// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package migrate

import (
	"fmt"
	"go/constant"
	"go/token"
	"slices"
)

func isConst(v value) bool { _, ok := v.(*konst); return ok }

func truthOf(b bool) *konst { return &konst{constant.MakeBool(b)} }

func truth(v value) bool { return constant.BoolVal(v.(*konst).Value) }

// truth returns whether a condition holds.
func (f *frame) truth(v value) []item {
	switch v := v.(type) {
	case *konst:
		return one(v)
	case *place:
		return assumed(atom{at: v.steps, op: equals, value: "true", typ: v.typ})
	}
	f.fail("a condition on %s", f.describe(v))
	return nil
}

// assumed returns true under a condition, and false under its opposite.
func assumed(a atom) []item {
	return []item{{[]atom{a}, truthOf(true)}, {[]atom{a.negated()}, truthOf(false)}}
}

// negated returns the opposite of conditions.
func negated(items []item) (out []item) {
	for _, it := range items {
		out = append(out, item{it.conds, truthOf(!truth(it.value))})
	}
	return out
}

func (f *frame) describe(v value) string {
	if p, ok := v.(*poisoned); ok {
		return p.name + " depends on an element of a list"
	}
	return describe(v)
}

// empty returns whether v is empty.
func (f *frame) empty(v value) []item {
	switch v := v.(type) {
	case *place:
		return assumed(atom{at: v.steps, op: isEmpty, typ: v.typ})
	case *konst:
		s, ok := stringOf(v)
		return one(truthOf(v.Value == nil || ok && s == ""))
	case *text:
		if slices.ContainsFunc(v.parts, func(p value) bool { _, ok := p.(*konst); return ok }) {
			return one(truthOf(false))
		}
	case *list, *pointer:
		l := f.list(v)
		sure := func(it item) bool {
			return len(it.conds) == 0 && !slices.ContainsFunc(places(it.value), func(p *place) bool { return lastLoop(p.steps) >= 0 })
		}
		if len(l.items) == 0 || slices.ContainsFunc(l.items, sure) {
			return one(truthOf(len(l.items) == 0))
		}
		f.loops++
		return assumed(atom{op: noMatch, value: fmt.Sprint(f.loops), list: l})
	}
	f.fail("whether %s is empty", f.describe(v))
	return nil
}

// equal returns whether two values are.
func (f *frame) equal(x, y value) []item {
	if _, ok := x.(*konst); ok {
		x, y = y, x
	}
	c, isConst := y.(*konst)
	p, isPlace := x.(*place)
	k, bothConst := x.(*konst)
	switch text, _ := stringOf(y); {
	case !isConst:
	case bothConst && c.Value != nil && k.Value != nil:
		return one(truthOf(constant.Compare(k.Value, token.EQL, c.Value)))
	case bothConst:
		return one(truthOf(c.Value == nil && k.Value == nil))
	case c.Value == nil:
		return f.isNil(x)
	case isPlace && text != "":
		f.word(p, text)
		return assumed(atom{at: p.steps, op: equals, value: c.ExactString(), typ: p.typ})
	case c.Kind() == constant.String && text == "":
		return f.empty(x)
	case isPlace && c.Kind() == constant.Bool:
		is := assumed(atom{at: p.steps, op: equals, value: "true", typ: p.typ})
		if !constant.BoolVal(c.Value) {
			is = negated(is)
		}
		return is
	case isPlace:
		f.word(p, c.ExactString())
		return assumed(atom{at: p.steps, op: equals, value: c.ExactString(), typ: p.typ})
	}
	f.fail("a comparison of %s with %s", f.describe(x), f.describe(y))
	return nil
}

// isNil returns whether v is nil.
func (f *frame) isNil(v value) []item {
	switch v := v.(type) {
	case *place:
		switch {
		case v.never || len(v.steps) == 0:
			return one(truthOf(false))
		case isPointer(v.typ):
			return assumed(atom{at: v.steps, op: isNil, typ: v.typ})
		}
		return f.empty(v)
	case *list:
		return f.empty(v)
	case *poisoned:
		f.fail("%s", f.describe(v))
	}
	return one(truthOf(false))
}

// word notes a constant for random objects, which should have it at p.
func (f *frame) word(p *place, word string) {
	at := ""
	for _, s := range p.steps {
		if s.loop == 0 {
			at = s.name
		}
	}
	if !slices.Contains(f.words[at], word) {
		f.words[at] = append(f.words[at], word)
	}
}
