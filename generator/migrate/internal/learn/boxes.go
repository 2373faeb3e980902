// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package learn

import (
	"errors"
	"maps"
	"slices"
)

// A box has the states in which spots may be while the function returns a template. Spots that may be in any are left
// out.
type box map[int]limits

// limits are states in which the function returns the template, and others that no object can have.
type limits struct{ in, free states }

func (b box) has(a assignment) bool {
	for i, s := range b {
		if !s.in.has(int(a[i])) {
			return false
		}
	}
	return true
}

// changed returns an assignment in which a spot is in another state, or nil if it cannot be.
func (l *learner) changed(a assignment, i, state int) assignment {
	a = slices.Clone(a)
	s := l.spots[i]
	a[i] = byte(state)
	for p := s.parent; p >= 0 && s.states[state] != absent; p = l.spots[p].parent {
		if !l.present(a, p) {
			a[p] = 0
		}
	}
	if s.states[state] == absent && !s.own && s.parent >= 0 {
		above := l.spots[s.parent]
		a[s.parent] = byte(max(slices.Index(above.states, absent), slices.Index(above.states, zero)))
	}
	if l.consistent(a); a[i] != byte(state) {
		return nil
	}
	return a
}

// box returns the states that each spot alone may have, while the others are as in a.
func (l *learner) box(t *template, a assignment) box {
	b := box{}
	for i, s := range l.spots {
		if slices.ContainsFunc(t.places, func(p int) bool { return l.below(p, i) }) {
			continue // the key shows that it is there
		}
		var in, out states
		for state := range s.states {
			if c := l.changed(a, i, state); c != nil && l.same(t, a, c) {
				if yes, known := l.yields(c, t); yes {
					in |= 1 << state
				} else if known {
					out |= 1 << state
				}
			}
		}
		if out != 0 && (s.own || out != s.missing()&^s.one(zero)) { // or only what is above must be there
			b[i] = limits{in, s.all() &^ in &^ out}
			t.asked[i] = true
		}
	}
	for i := range b { // nothing is below what must be absent
		for p := l.spots[i].parent; p >= 0; p = l.spots[p].parent {
			if above, ok := b[p]; ok && above.in&^l.spots[p].missing() == 0 {
				delete(b, i)
			}
		}
	}
	return b
}

// below reports whether a spot is another, or below it.
func (l *learner) below(i, above int) bool {
	for ; i >= 0; i = l.spots[i].parent {
		if i == above {
			return true
		}
	}
	return false
}

// same reports whether the values in the key are the same in two assignments.
func (l *learner) same(t *template, a, b assignment) bool {
	return !slices.ContainsFunc(t.places, func(i int) bool { return a[i] != b[i] })
}

// holds reports whether the function returns the template in a box, as far as random assignments show.
func (l *learner) holds(t *template, b box, like assignment) bool {
	for n := 0; n < 150; n++ {
		a := l.sample(like, false)
		for _, i := range t.places {
			a = l.changed(a, i, 0)
		}
		for _, i := range slices.Sorted(maps.Keys(b)) {
			s := b[i]
			state := l.rand.IntN(len(l.spots[i].states))
			for !s.in.has(state) {
				state = l.rand.IntN(len(l.spots[i].states))
			}
			if c := l.changed(a, i, state); c != nil {
				a = c
			}
		}
		if !b.has(a) || !l.same(t, a, like) {
			continue
		}
		if yes, known := l.yields(a, t); known && !yes {
			return false
		}
	}
	return true
}

// bare returns an assignment for the template in which as much is absent or empty as can be, in random order.
func (l *learner) bare(t *template, a assignment) assignment {
	for _, i := range l.rand.Perm(len(l.spots)) {
		for _, state := range []string{absent, zero} {
			to := slices.Index(l.spots[i].states, state)
			if to < 0 {
				continue
			} else if c := l.changed(a, i, to); c != nil && l.same(t, a, c) {
				if yes, _ := l.yields(c, t); yes {
					a = c
					break
				}
			}
		}
	}
	return a
}

// boxes returns boxes that together have all known assignments for which the function returns a template.
func (l *learner) boxes(t *template) (out []box, err error) {
	var tried []assignment
	all := slices.Clone(t.positive[:min(len(t.positive), 300)])
	known := len(all)
	for n := 0; n < len(all); n++ {
		a := all[n]
		for _, i := range t.places {
			if a != nil {
				a = l.changed(a, i, 0)
			}
		}
		if a == nil {
			continue
		} else if yes, _ := l.yields(a, t); !yes {
			continue
		}
		if tried = append(tried, a); !slices.ContainsFunc(out, func(b box) bool { return b.has(a) }) {
			b := l.box(t, a)
			if !l.holds(t, b, a) { // several alternatives may hold in a
				for len(all) < known+40 {
					all = append(all, l.bare(t, a))
				}
				a = l.bare(t, a)
				b = l.box(t, a)
			}
			if l.holds(t, b, a) {
				out = append(out, b)
			}
		}
		if len(out) > 30 {
			return nil, errors.New("more combinations of fields than the command tries")
		}
	}
	for i := len(out) - 1; i >= 0; i-- { // others may have what is in it
		rest := slices.Delete(slices.Clone(out), i, i+1)
		if !slices.ContainsFunc(tried, func(a assignment) bool {
			return out[i].has(a) && !slices.ContainsFunc(rest, func(b box) bool { return b.has(a) })
		}) {
			out = rest
		}
	}
	return out, nil
}
