// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package learn

import (
	"errors"
	"slices"
)

// A node of a decision tree asks for the state of a spot. A leaf says whether the function returns the template.
type node struct {
	spot int
	next []*node // by state; nil in a leaf
	yes  bool
	no   bool // neither in a leaf that no object reaches
}

// A fixed assignment has states plus one, and 0 where any state is possible.
type fixed []byte

var errTooMany = errors.New("more combinations of fields than the command tries")

// within returns a random assignment with fixed states, or nil.
func (l *learner) within(f fixed, like assignment) assignment {
	a := l.sample(like, false)
	for i, s := range f {
		if s > 0 {
			l.require(a, i, s-1)
		}
	}
	l.consistent(a)
	if !f.has(a) {
		return nil
	}
	return a
}

func (f fixed) has(a assignment) bool {
	for i, s := range f {
		if s > 0 && a[i] != s-1 {
			return false
		}
	}
	return true
}

// tree learns under which states the function returns a template, among those that are fixed.
func (l *learner) tree(t *template, f fixed, nodes *int) (*node, error) {
	if *nodes++; *nodes > 3000 {
		return nil, errTooMany
	}
	var yes, no assignment
	see := func(a assignment) {
		is, known := l.yields(a, t)
		switch {
		case is && yes == nil:
			yes = a
		case !is && known && no == nil:
			no = a
		}
	}
	for _, a := range t.positive {
		if yes == nil && f.has(a) {
			see(a)
		}
	}
	for i := 0; i < 120 && (yes == nil || no == nil); i++ {
		like := yes
		if i%4 == 1 || like == nil && i%4 != 0 {
			like = l.example(t)
		} else if i%4 == 0 {
			like = nil
		}
		if a := l.within(f, like); a != nil {
			see(a)
		}
	}
	for i := 0; i < len(l.pool) && (yes == nil || no == nil); i++ {
		if f.has(l.pool[i]) {
			see(l.pool[i])
		}
	}
	if yes != nil && !slices.ContainsFunc(t.positive, func(a assignment) bool { return string(a) == string(yes) }) {
		t.positive = append(t.positive, yes)
	}
	if yes == nil || no == nil {
		return &node{yes: yes != nil, no: no != nil}, nil
	}
	out := &node{spot: l.relevant(t, yes, no)}
	t.asked[out.spot] = true
	for state := range l.spots[out.spot].states {
		below := slices.Clone(f)
		below[out.spot] = byte(state) + 1
		next, err := l.tree(t, below, nodes)
		if err != nil {
			return nil, err
		}
		out.next = append(out.next, next)
	}
	return out, nil
}

// relevant returns a spot by which two assignments differ, and which alone changes the answer from yes to no.
func (l *learner) relevant(t *template, yes, no assignment) int {
	var differ []int
	for i := range yes {
		if yes[i] != no[i] {
			differ = append(differ, i)
		}
	}
	// mixed has the first n different states of no. Spots above others come first.
	mixed := func(n int) assignment {
		a := slices.Clone(yes)
		for _, i := range differ[:n] {
			a[i] = no[i]
		}
		l.consistent(a)
		return a
	}
	low, high := 0, len(differ)
	for high-low > 1 {
		middle := (low + high) / 2
		if is, _ := l.yields(mixed(middle), t); is {
			low = middle
		} else {
			high = middle
		}
	}
	return differ[low]
}

// A box has the states that spots may have, if not all.
type box map[int]states

// leaves reports which leaves of a tree are in a box.
func (l *learner) leaves(n *node, b box) (yes, no bool) {
	out := box{}
	for i, in := range b {
		out[i] = in
	}
	for i, in := range b {
		if gone := slices.Index(l.spots[i].states, absent); gone >= 0 && in.has(gone) {
			continue
		}
		for p := l.spots[i].parent; p >= 0; p = l.spots[p].parent { // what is above is present
			if _, ok := out[p]; !ok {
				out[p] = ^states(0)
			}
			out[p] &^= l.spots[p].missing()
		}
	}
	return n.leaves(out)
}

func (n *node) leaves(b box) (yes, no bool) {
	if n.next == nil {
		return n.yes, n.no
	}
	in, limited := b[n.spot]
	for i, next := range n.next {
		if !limited || in.has(i) {
			y, n := next.leaves(b)
			yes, no = yes || y, no || n
		}
	}
	return yes, no
}

// positive returns boxes for the leaves that say yes.
func (n *node) positive(above box) (out []box) {
	if n.next == nil {
		if n.yes {
			out = append(out, above)
		}
		return out
	}
	for i, next := range n.next {
		out = append(out, next.positive(above.with(n.spot, 1<<i))...)
	}
	return out
}

func (b box) with(spot int, in states) box {
	out := box{spot: in}
	for i, s := range b {
		if i != spot {
			out[i] = s
		}
	}
	return out
}

// in reports whether a box is in another.
func (b box) in(other box) bool {
	for i, s := range other {
		if mine, ok := b[i]; !ok || mine&^s != 0 {
			return false
		}
	}
	return true
}

// boxes returns large boxes that together have all leaves that say yes, and none that says no.
func (l *learner) boxes(n *node) (out []box) {
	small := n.positive(box{})
	for _, b := range small {
		for i, s := range l.spots {
			if in, ok := b[s.parent]; ok && s.parent >= 0 && in&^l.spots[s.parent].missing() == 0 {
				b[i] = 1 << slices.Index(s.states, absent) // it has no other state
			}
		}
	}
	for _, b := range small {
		if !slices.ContainsFunc(out, b.in) {
			out = append(out, l.grown(n, b))
		}
	}
	for i := len(out) - 1; i >= 0; i-- {
		rest := slices.Delete(slices.Clone(out), i, i+1)
		if !slices.ContainsFunc(small, func(b box) bool { return !slices.ContainsFunc(rest, b.in) }) {
			out = rest
		}
	}
	return out
}

// grown returns a box with all states that can be added: first all of a spot, those below others first.
func (l *learner) grown(n *node, b box) box {
	for i := len(l.spots) - 1; i >= 0; i-- {
		if _, ok := b[i]; ok {
			all := b.with(i, 0)
			delete(all, i)
			if _, no := l.leaves(n, all); !no {
				b = all
			}
		}
	}
	for i := range l.spots {
		in, ok := b[i]
		for state := range l.spots[i].states {
			if yes, no := l.leaves(n, b.with(i, 1<<state)); ok && yes && !no {
				in |= 1 << state
				b = b.with(i, in)
			}
		}
	}
	return b
}

// missing returns the states in which nothing is below a spot.
func (s *spot) missing() (out states) {
	for i, state := range s.states {
		if state == absent || state == zero && s.class == list {
			out |= 1 << i
		}
	}
	return out
}

// free returns the states of a spot that no object of a box can have.
func (l *learner) free(n *node, b box, spot int) (out states) {
	for state := range l.spots[spot].states {
		if yes, no := l.leaves(n, b.with(spot, 1<<state)); !yes && !no {
			out |= 1 << state
		}
	}
	return out
}
