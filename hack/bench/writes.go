// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	corev1 "k8s.io/api/core/v1"
)

// cycle writes generation after generation, each in the order in which its
// objects were made: what a watch or a list brings has just been decoded. What
// it replaces lies anywhere.
type cycle struct {
	w    *world
	gens *[2][]*corev1.Pod
	gen  int
	at   int
}

func (w *world) cycle(gens *[2][]*corev1.Pod) *cycle { return &cycle{w: w, gens: gens, gen: 1} }

func (c *cycle) next() *corev1.Pod {
	p := c.gens[c.gen][c.w.made[c.gen][c.at]]
	if c.at++; c.at == c.w.n {
		c.at, c.gen = 0, 1-c.gen
	}
	return p
}

func (c *cycle) into(s sink) side {
	return func(n int) {
		for range n {
			s.set(c.next())
		}
	}
}

// writeRows are writes without concurrent reads. They leave the first or the second generation in the
// stores.
func writeRows(w *world, o *ours, t *theirs) []row {
	var mineLists [2][]*corev1.Pod
	var lists [2][]any
	for g := range lists {
		for _, i := range w.made[g] {
			mineLists[g] = append(mineLists[g], w.gens[g][i])
			lists[g] = append(lists[g], w.gens[g][i])
		}
	}
	a, b := 0, 0
	return []row{
		{
			name: "update, no index value changes", target: 3,
			ours: w.cycle(&w.gens).into(o), theirs: w.cycle(&w.gens).into(t),
		},
		{name: "Replace of all", target: 4,
			ours: times(func() {
				a = 1 - a
				must(o.Replace(mineLists[a], "1"))
			}),
			theirs: times(func() {
				b = 1 - b
				must(t.Replace(lists[b], "1"))
			}),
		},
	}
}
