// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package migrate

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
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
		if a.op == noMatch {
			if n, _ := strconv.Atoi(a.value); a.not && inKey[n] {
				continue
			}
			if err := b.none(a); err != nil {
				return err
			}
			continue
		}
		loop, from := 0, 0
		if i := lastLoop(a.at); i >= 0 {
			loop, from = a.at[i].loop, i+1
			if a.op == equals && !a.not && from < len(a.at) && matched[loop] == "" {
				matched[loop] = a.at[len(a.at)-1].name
			}
		}
		if b.implied(a) {
			continue
		}
		if loop > 0 && !inKey[loop] {
			return fmt.Errorf("a condition on some element of %s that the key does not come from", pathText(a.at[:from-1], nil))
		}
		if loop > 0 && from == len(a.at) {
			return fmt.Errorf("a condition on the elements of %s themselves", pathText(a.at[:from-1], nil))
		}
		at := ""
		if loop > 0 {
			at = "@"
		}
		text := b.condition(a, at+pathText(a.at[from:], nil))
		if loop == 0 {
			b.ifs = append(b.ifs, text)
		} else {
			byLoop[loop] = append(byLoop[loop], text)
		}
	}
	slices.Sort(b.ifs)
	for loop, texts := range byLoop {
		slices.Sort(texts)
		b.filters[loop] = strings.Join(texts, " && ")
	}
	lists := map[string]int{}
	for _, p := range b.places {
		for i, s := range p.steps {
			if s.loop == 0 {
				continue
			}
			list := pathText(p.steps[:i], nil)
			if before := lists[list]; before != 0 && before != s.loop {
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

// none checks a condition on whether a loop or a list that the function built has an element.
func (b *builder) none(a atom) error {
	if l := b.built[a.value]; l != nil && a.not {
		for _, it := range l.items {
			_, places := split(it.value)
			if slices.EqualFunc(places, b.places, func(x, y *place) bool { return slices.Equal(x.steps, y.steps) }) {
				return nil
			}
		}
	}
	return fmt.Errorf("a key that depends on there being no element that matches")
}

// implied reports whether the paths of the key imply a condition. It notes which places are not empty.
func (b *builder) implied(a atom) bool {
	if !a.present() || a.op == equals {
		return false
	}
	for _, p := range b.places {
		switch {
		case !slices.Equal(p.steps, a.at):
		case a.op == hasKey:
			b.keyed = true
			return true
		case a.op != isEmpty:
			return true
		case len(b.places) == 1, b.reference() && p == b.places[1]:
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
	if a.op == hasKey || a.op == isNil && isString(deref(a.typ)) {
		b.ix.filled = true
		b.note("an empty %s counts as absent", pathText(a.at, nil))
	}
	if a.present() {
		return path
	}
	return "!" + path
}
