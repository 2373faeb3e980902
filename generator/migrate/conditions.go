// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package migrate

import (
	"cmp"
	"fmt"
	"go/constant"
	"go/token"
	"slices"
)

func isConst(v value) bool { _, ok := v.(*konst); return ok }

func truthOf(b bool) *konst { return &konst{constant.MakeBool(b)} }

// truth returns whether a condition holds.
func (f *frame) truth(v value) bool {
	switch v := v.(type) {
	case *konst:
		return constant.BoolVal(v.Value)
	case *place:
		return f.ask(atom{at: v.steps, op: equals, value: "true", typ: v.typ})
	}
	f.fail("a condition on %s", describe(v))
	return false
}

// empty returns whether v is empty.
func (f *frame) empty(v value) bool {
	switch v := v.(type) {
	case *place:
		if isOwnNamespace(v) {
			f.namespaced = true
			return false
		}
		return f.ask(atom{at: v.steps, op: isEmpty, typ: v.typ})
	case *konst:
		s, ok := stringOf(v)
		return v.Value == nil || ok && s == ""
	case *text:
		if slices.ContainsFunc(v.parts, isConst) {
			return false
		}
	case *list, *pointer:
		l := f.list(v)
		if i := slices.IndexFunc(l.items, unfinished); i >= 0 {
			f.fail("whether a list has %s", describe(l.items[i].value))
		}
		sure := func(it item) bool {
			return len(it.conds) == 0 && !slices.ContainsFunc(places(it.value), func(p *place) bool { return lastLoop(p.steps) >= 0 })
		}
		if len(l.items) == 0 || slices.ContainsFunc(l.items, sure) {
			return len(l.items) == 0
		}
		return f.ask(atom{op: noMatch, value: fmt.Sprint(f.number(identity(l))), list: l})
	}
	f.fail("whether %s is empty", describe(v))
	return false
}

// equal returns whether two values are.
func (f *frame) equal(x, y value) bool {
	if isConst(x) {
		x, y = y, x
	}
	c, ok := y.(*konst)
	if !ok {
		f.fail("a comparison of %s with %s", describe(x), describe(y))
	}
	text, isText := stringOf(c)
	switch x := x.(type) {
	case *konst:
		if c.Value != nil && x.Value != nil {
			return constant.Compare(x.Value, token.EQL, c.Value)
		}
		return c.Value == nil && x.Value == nil
	case *place:
		switch is := (atom{at: x.steps, op: equals, typ: x.typ}); {
		case c.Value == nil || isText && text == "":
		case c.Kind() == constant.Bool:
			is.value = "true"
			return f.ask(is) == constant.BoolVal(c.Value)
		default:
			is.value = c.ExactString()
			f.word(x, cmp.Or(text, is.value))
			return f.ask(is)
		}
	}
	switch {
	case c.Value == nil:
		return f.isNil(x)
	case isText && text == "":
		return f.empty(x)
	}
	f.fail("a comparison of %s with %s", describe(x), describe(y))
	return false
}

// isNil returns whether v is nil.
func (f *frame) isNil(v value) bool {
	switch v := v.(type) {
	case *place:
		switch {
		case v.never || len(v.steps) == 0:
			return false
		case isPointer(v.typ):
			return f.ask(atom{at: v.steps, op: isNil, typ: v.typ})
		}
		return f.empty(v)
	case *list:
		return f.empty(v)
	case *unknown:
		if !v.exists {
			f.fail("%s", v.what)
		}
	}
	return false
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
