// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package migrate

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

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
	matched := map[int]string{}
	byLoop := map[int][]string{}
	for _, a := range reduced(b.conds) {
		if n, _ := strconv.Atoi(a.value); a.op == noMatch {
			if !a.not || !inKey[n] {
				return fmt.Errorf("a key that depends on whether some element matches")
			}
			continue
		}
		loop, from, at := 0, 0, ""
		if i := lastLoop(a.at); i >= 0 {
			loop, from, at = a.at[i].loop, i+1, "@"
			if a.op == equals && !a.not && from < len(a.at) && matched[loop] == "" {
				matched[loop] = a.at[len(a.at)-1].name
			}
		}
		switch list := pathText(a.at[:max(0, from-1)], nil); {
		case b.implied(a):
			continue
		case loop > 0 && !inKey[loop]:
			return fmt.Errorf("a condition on some element of %s that the key does not come from", list)
		case loop > 0 && from == len(a.at):
			return fmt.Errorf("a condition on the elements of %s themselves", list)
		}
		byLoop[loop] = append(byLoop[loop], b.condition(a, at+pathText(a.at[from:], nil)))
	}
	for loop, texts := range byLoop {
		slices.Sort(texts)
		b.filters[loop] = strings.Join(texts, " && ")
	}
	b.ifs = byLoop[0]
	lists := map[string]int{}
	for _, p := range b.places {
		for i, s := range p.steps {
			list := pathText(p.steps[:i], nil)
			if s.loop == 0 {
				continue
			} else if lists[list] != 0 && lists[list] != s.loop {
				return fmt.Errorf("pairs of elements of %s", list)
			}
			lists[list] = s.loop
			if at, first := b.first[s.loop]; first {
				if matched[s.loop] == "" {
					return fmt.Errorf("the first element of %s only, in the loop at %s", list, at)
				}
				b.ix.distinct = append(b.ix.distinct, p.steps[i-1].name+"."+matched[s.loop])
				b.note("of several elements of %s with one %s, the function takes the first", list, matched[s.loop])
			}
		}
	}
	return nil
}

// implied reports whether the paths of the key imply a condition. It notes which places are not empty.
func (b *builder) implied(a atom) bool {
	for i, p := range b.places {
		switch {
		case !a.present() || a.op == equals || !slices.Equal(p.steps, a.at):
		case a.op == hasKey:
			b.keyed = true
			return true
		case a.op != isEmpty:
			return true
		case len(b.places) == 1, b.reference() && i == 1:
			b.nonempty[pathText(p.steps, nil)] = true
			return true
		}
	}
	return false
}

// condition returns a condition in the language of markers, on a value at a path.
func (b *builder) condition(a atom, path string) string {
	switch {
	case a.op == equals && a.value == "true" && a.not:
		return path + "==false"
	case a.op == equals && a.not:
		return path + "!=" + a.value
	case a.op == equals:
		return path + "==" + a.value
	}
	if a.op == hasKey || a.op == isNil && gotypes.IsText(gotypes.Deref(a.typ)) {
		b.filled(a.at)
	}
	if a.present() {
		return path
	}
	return "!" + path
}
