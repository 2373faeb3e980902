// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"sync/atomic"

	corev1 "k8s.io/api/core/v1"

	"github.com/indexer-gen/indexer-gen/runtime/informer"
)

// maker makes the pipeline of one side.
type maker func(f *feed) pipeline

// ourMaker is for what our own transport hands over.
func ourMaker(options ...informer.HandlerOption) maker {
	return func(f *feed) pipeline { return newOurPipeline(direct{f}, options...) }
}

// pipelines measures rows of informers, from a list or watch in memory to handlers.
func (b *bench) pipelines(w *world) {
	f := w.feed()
	updates := func(batch, handlers int) func(m maker) spent {
		return func(m maker) spent { return watchUpdates(w, f, m, batch, handlers) }
	}
	b.both(w, "initial list → handler", 5, ourMaker(), func(m maker) spent { return initialList(w, f, m) })
	b.both(w, "watch update → handler", 5, ourMaker(), updates(0, 1))
	b.both(w, "watch update → 10 handlers", 0, ourMaker(), updates(0, 10))
	b.both(w, "an update alone → handler", 0, ourMaker(), updates(1, 1))
	b.both(w, "an update alone → 10 handlers", 0, ourMaker(), updates(1, 10))
	coalescing := ourMaker(informer.WithCoalescing())
	b.both(w, "watch update → 10 coalescing handlers", 5, coalescing, updates(0, 10))
	b.both(w, "an update alone → 10 coalescing handlers", 0, coalescing, updates(1, 10))
	b.both(w, "ten updates → 10 coalescing handlers", 0, coalescing, updates(10, 10))
}

// both measures one side and the other in turn, and adds a row for the time of day and
// one for that of the processor.
func (b *bench) both(w *world, name string, target float64, ours maker, measure func(maker) spent) {
	if !b.match.MatchString("pipeline: " + name) {
		return
	}
	best := [2]spent{never, never}
	for range b.rounds {
		best[0] = best[0].least(measure(ours))
		best[1] = best[1].least(measure(newTheirPipeline))
	}
	b.add(resultOf(w, name, target, best[0], best[1], true))
	b.add(resultOf(w, "  processor time of that", 0, best[0], best[1], false))
}

// countdown closes done when it was called n times.
type countdown struct {
	left atomic.Int64
	done chan struct{}
}

func newCountdown(n int) *countdown {
	c := &countdown{done: make(chan struct{})}
	c.left.Store(int64(n))
	return c
}

func (c *countdown) tick(*corev1.Pod) {
	if c.left.Add(-1) == 0 {
		close(c.done)
	}
}

func ignore(*corev1.Pod) {}

// initialList is from the request to the last call of a handler.
func initialList(w *world, f *feed, m maker) spent {
	f.ready()
	p := m(f)
	all := newCountdown(w.n)
	p.handle(all.tick, ignore)
	took := stopwatch()
	working := begin(p)
	<-all.done
	s := took(w.n)
	working.end()
	return s
}

// watchUpdates is from the first event of a watch to the last call of a handler. If batch is not 0, so many events are
// sent at a time, and the next ones when each handler has been called for each.
func watchUpdates(w *world, f *feed, m maker, batch, handlers int) spent {
	f.ready()
	f.batch, f.waited = batch, handlers
	p := m(f)
	initial, updated := newCountdown(handlers*w.n), newCountdown(handlers*len(f.updates))
	for range handlers {
		p.handle(initial.tick, func(pod *corev1.Pod) {
			updated.tick(pod)
			f.handled()
		})
	}
	working := begin(p)
	<-initial.done
	took := stopwatch()
	close(f.due)
	<-updated.done
	s := took(w.n)
	working.end()
	return s
}
