// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/indexer-gen/indexer-gen/hack/internal/process"
)

// sink is a store as far as filling it goes.
type sink interface {
	set(*corev1.Pod)
	delete(*corev1.Pod)
}

// fill stores the first generation object by object in random order, then
// deletes a tenth at random and adds it again in another order.
func (w *world) fill(s sink) {
	order := w.rng.Perm(w.n)
	for _, i := range order {
		s.set(w.gens[0][i])
	}
	churned := w.rng.Perm(w.n)[:w.n/10]
	for _, i := range churned {
		s.delete(w.gens[0][i])
	}
	w.rng.Shuffle(len(churned), func(a, b int) { churned[a], churned[b] = churned[b], churned[a] })
	for _, i := range churned {
		s.set(w.gens[0][i])
	}
}

// overhead returns how many bytes a store needs for each object beside it.
func (w *world) overhead(s sink) float64 {
	before := process.LiveHeap(w)
	w.fill(s)
	return (float64(process.LiveHeap(s)) - float64(before)) / float64(w.n)
}
