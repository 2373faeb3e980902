// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package migrate

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/indexer-gen/indexer-gen/generator/internal/fieldpath"
	"github.com/indexer-gen/indexer-gen/generator/internal/gotypes"
)

// conditions sorts the conditions into those that the paths imply, filters and if=.
func (b *builder) conditions() error {
	inKey := map[int]bool{}
	for _, p := range b.places {
		for _, s := range p.steps {
			inKey[s.loop] = true
		}
	}
	byLoop := map[int][]fieldpath.Condition{}
	for _, a := range reduced(b.conds) {
		if n, _ := strconv.Atoi(a.value); a.op == noMatch {
			if !a.not || !inKey[n] {
				return fmt.Errorf("a key that depends on whether some element matches")
			}
			continue
		}
		loop, from := 0, 0
		if i := lastLoop(a.at); i >= 0 {
			loop, from = a.at[i].loop, i+1
		}
		switch list := pathText(a.at[:max(0, from-1)]); {
		case b.implied(a):
			continue
		case loop > 0 && !inKey[loop]:
			return fmt.Errorf("a condition on some element of %s that the key does not come from", list)
		case loop > 0 && from == len(a.at):
			return fmt.Errorf("a condition on the elements of %s themselves", list)
		}
		byLoop[loop] = append(byLoop[loop], b.condition(a, from))
	}
	for _, all := range byLoop {
		slices.SortFunc(all, func(x, y fieldpath.Condition) int { return strings.Compare(x.Text(""), y.Text("")) })
		for _, c := range all {
			if other := c; !c.Negated {
				other.Negated = true
				if slices.ContainsFunc(all, func(c fieldpath.Condition) bool { return c.Text("") == other.Text("") }) {
					return fmt.Errorf("the condition that %s is there and empty", c.Path)
				}
			}
		}
	}
	b.filters = byLoop
	lists := map[string]int{}
	for _, p := range b.places {
		for n, s := range p.steps {
			list := pathText(p.steps[:n])
			if s.loop == 0 {
				continue
			} else if lists[list] != 0 && lists[list] != s.loop {
				return fmt.Errorf("pairs of elements of %s", list)
			}
			lists[list] = s.loop
			if first := b.first[s.loop]; first != nil {
				match := first.match()
				i := slices.IndexFunc(match, func(a atom) bool { return a.op == equals && !a.not && len(a.at) == n+2 })
				if i < 0 {
					return fmt.Errorf("the first element of %s only", list)
				}
				matched := match[i].at[n+1].name
				b.ix.distinct = append(b.ix.distinct, p.steps[n-1].name+"."+matched)
				b.note("of several elements of %s with one %s, the function takes the first", list, matched)
			}
		}
	}
	return nil
}

// implied reports whether the paths of the key imply a condition. It notes which places are not empty.
func (b *builder) implied(a atom) bool {
	for i, p := range b.places {
		switch {
		case !a.present() || a.op == equals || !slices.Equal(p.steps, a.at) || b.choice != nil && b.choice.first == p:
		case a.op != isEmpty:
			b.keyed = true
			return true
		case len(b.places) == 1, b.reference() && i == 1:
			b.nonempty[pathText(p.steps)] = true
			return true
		}
	}
	return false
}

// condition returns a condition in the language of markers, on a value below the first steps of its path.
func (b *builder) condition(a atom, from int) fieldpath.Condition {
	c := fieldpath.Condition{Path: fieldPath(a.at[from:], nil), Negated: a.not, Literal: a.op == equals, Value: a.value}
	switch text, err := strconv.Unquote(a.value); {
	case a.op == equals && err == nil:
		c.Value, c.Quoted = text, true
	case a.op == equals && a.value == "true" && a.not:
		c.Value, c.Negated = "false", false
	case a.op != equals:
		c.Negated = !a.present()
		if a.op == isNil && gotypes.IsText(gotypes.Deref(a.typ)) {
			b.filled(a.at)
		}
	}
	return c
}
