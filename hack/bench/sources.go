// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"strconv"

	corev1 "k8s.io/api/core/v1"

	"github.com/indexer-gen/indexer-gen/runtime/delta"
	"github.com/indexer-gen/indexer-gen/runtime/store"
)

// manySources is how many sources feed a store where their number matters.
const manySources = 1000

const sourcesRow = "lone batch, 1,000 sources against one"

// sourceRows compare our store with itself, since client-go's stores have no parts: a batch of
// one update in a store whose source has many parts, and in a store whose source has one.
func sourceRows(w *world) []row {
	return []row{{
		name:   sourcesRow,
		target: 1 / 1.2,
		ours:   w.cycle(&w.gens).into(newFed(w, manySources)),
		theirs: w.cycle(&w.gens).into(newFed(w, 1)),
	}}
}

// fed is a store that several parts of a source feed. Each Pod comes from one of them.
type fed struct {
	*ours
	batch   delta.Batch[podKey, *corev1.Pod]
	sources []*store.Feeder[podKey, *corev1.Pod]
	version int
}

func newFed(w *world, sources int) *fed {
	o := newOurs()
	f := &fed{ours: o, sources: make([]*store.Feeder[podKey, *corev1.Pod], sources)}
	feeder := store.NewFeeder(o.podStore, nil)
	lists := make([][]*corev1.Pod, sources)
	for _, p := range w.gens[0] {
		at := f.sourceOf(p)
		lists[at] = append(lists[at], p)
	}
	for i, list := range lists {
		f.sources[i] = feeder.Part("source-" + strconv.Itoa(i))
		for _, p := range list {
			f.add(p)
		}
		f.batch.Replace = true
		f.apply(f.sources[i])
	}
	return f
}

// sourceOf spreads the Pods by their UID, which both generations have in common.
func (f *fed) sourceOf(p *corev1.Pod) int {
	i, err := strconv.Atoi(string(p.UID)[len("uid-"):])
	must(err)
	return i % len(f.sources)
}

func (f *fed) set(p *corev1.Pod) {
	f.add(p)
	f.apply(f.sources[f.sourceOf(p)])
}

func (f *fed) add(p *corev1.Pod) {
	f.batch.Deltas = append(f.batch.Deltas, delta.Delta[podKey, *corev1.Pod]{
		Type: delta.Updated, Key: store.KeyOf(p), Object: p,
	})
}

// apply ends the batch as a watch does, with a version that the source has reached.
func (f *fed) apply(source *store.Feeder[podKey, *corev1.Pod]) {
	f.version++
	f.batch.ResourceVersion = strconv.Itoa(f.version)
	source.Apply(&f.batch)
	f.batch.Deltas, f.batch.Replace = f.batch.Deltas[:0], false
}
