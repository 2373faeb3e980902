// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package migrate

import (
	"fmt"
	"slices"
	"strings"
)

// A term is a key of an index function, and the conditions under which the function returns it.
type term struct {
	conds []atom
	key   value
}

// simplified removes conditions that other items make unnecessary: x if a, and x if not a, are x.
func simplified(items []item) []item {
	items = slices.Clone(items)
	for i := range items {
		items[i].conds = reduced(items[i].conds)
	}
	for again := true; again; {
		again = false
		for i := range items {
			for c := 0; c < len(items[i].conds); c++ {
				flipped := slices.Clone(items[i].conds)
				flipped[c] = flipped[c].negated()
				if !slices.ContainsFunc(items, func(o item) bool {
					return sameKey(o.value, items[i].value) && subset(o.conds, flipped)
				}) {
					continue
				}
				items[i].conds = slices.Delete(flipped, c, c+1)
				again = true
				break
			}
		}
	}
	var out []item
	for i, it := range items {
		covered := func(j int) bool {
			o := items[j]
			return j != i && sameKey(o.value, it.value) && subset(o.conds, it.conds) &&
				(j < i || len(o.conds) < len(it.conds))
		}
		if !slices.ContainsFunc(indexes(len(items)), covered) {
			out = append(out, it)
		}
	}
	return out
}

func indexes(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}

// reduced removes conditions that others imply.
func reduced(conds []atom) []atom {
	var out []atom
	for i, a := range conds {
		implied := func(j int) bool {
			b := conds[j]
			return j != i && b.implies(a) && (!a.implies(b) || j < i)
		}
		if !slices.ContainsFunc(indexes(len(conds)), implied) {
			out = append(out, a)
		}
	}
	return out
}

func subset(a, b []atom) bool {
	return !slices.ContainsFunc(a, func(x atom) bool { return !slices.ContainsFunc(b, x.is) })
}

// identity is a text that is equal for equal keys.
func identity(v value) string {
	switch v := v.(type) {
	case *place:
		return fmt.Sprint(v.steps)
	case *konst:
		return v.ExactString()
	case *text:
		var out []string
		for _, p := range v.parts {
			out = append(out, identity(p))
		}
		return strings.Join(out, "+")
	case *record:
		return fmt.Sprint(v.typ, len(v.fields)) + fmt.Sprintf("%p", v)
	}
	return fmt.Sprintf("%p", v)
}

func sameKey(a, b value) bool { return a == b || identity(a) == identity(b) }
