// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"math"
	"slices"
	"strconv"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/indexer-gen/indexer-gen/runtime/informer"
)

// eventGap is the time between events where latency is measured: 20,000 in a second.
const eventGap = 50 * time.Microsecond

// latency adds rows for the time from an event to the call of the last of ten handlers.
func (b *bench) latency(w *world, f *feed) {
	const name = "event → last of 10 handlers"
	if !b.match.MatchString("pipeline: " + name) {
		return
	}
	quantiles := []float64{0.5, 0.99}
	best := [2][]float64{{math.Inf(1), math.Inf(1)}, {math.Inf(1), math.Inf(1)}}
	for range b.rounds {
		for side, m := range []maker{ourMaker(), newTheirPipeline} {
			waits := latencies(w, f, m, 10)
			for i, q := range quantiles {
				best[side][i] = min(best[side][i], float64(waits[int(q*float64(len(waits)-1))]))
			}
		}
	}
	for i, q := range quantiles {
		b.add(result{
			Name: name + ", " + strconv.FormatFloat(
				100*q,
				'f',
				-1,
				64,
			) + "%", Objects: w.n, Labels: w.labels, Unit: "ns",
			Ours: best[0][i], Theirs: best[1][i], Ratio: best[1][i] / best[0][i], OursAllocs: -1, TheirsAllocs: -1,
			OursBytes: -1, TheirsBytes: -1,
		})
	}
}

// latencies returns, for each event, how long it took until all handlers had been
// called, sorted.
func latencies(w *world, f *feed, m maker, handlers int) []time.Duration {
	f.ready()
	f.most = min(len(f.updates), 40_000) // two seconds
	f.gap, f.sent = eventGap, make([]time.Time, f.most)
	p := m(f)
	listed, told := newCountdown(handlers*w.n), newCountdown(handlers*f.most)
	called := make([][]time.Duration, handlers)
	for h := range called {
		waits := make([]time.Duration, f.most)
		called[h] = waits
		p.handle(listed.tick, func(pod *corev1.Pod) {
			at, err := strconv.Atoi(pod.ResourceVersion)
			must(err)
			at -= firstVersion
			waits[at] = time.Since(f.sent[at])
			told.tick(pod)
		})
	}
	working := begin(p)
	<-listed.done
	heap() // so that no collection is under way
	close(f.due)
	<-told.done
	working.end()
	slowest := called[0]
	for _, waits := range called[1:] {
		for at, wait := range waits {
			slowest[at] = max(slowest[at], wait)
		}
	}
	slices.Sort(slowest)
	return slowest
}

// stuck adds a row for the memory that is held for a handler that does not return, an
// object, when a tenth of all objects has been updated ten times meanwhile.
func (b *bench) stuck(w *world, f *feed) {
	const name = "held for a stuck handler, 10 updates an object"
	if !b.match.MatchString("pipeline: " + name) {
		return
	}
	ours := held(w, f, ourMaker(informer.WithCoalescing()))
	theirs := held(w, f, newTheirPipeline)
	b.add(result{
		Name: name, Objects: w.n, Labels: w.labels, Unit: "B", Ours: ours, Theirs: theirs, Ratio: theirs / ours,
		OursAllocs: -1, TheirsAllocs: -1, OursBytes: -1, TheirsBytes: -1,
	})
}

// held returns the bytes for each updated object that are live while a handler is stuck,
// and no more when it has gone on.
func held(w *world, f *feed, m maker) float64 {
	f.ready()
	f.most, f.passes = max(w.n/10, 1), 10
	p := m(f)
	listed, goOn := newCountdown(2*w.n), make(chan struct{})
	var seen [2]chan struct{} // closed when a handler was told the last state
	for h := range seen {
		last := make(chan struct{})
		seen[h] = last
		p.handle(listed.tick, func(pod *corev1.Pod) {
			if h > 0 {
				<-goOn
			}
			if pod.ResourceVersion == f.last() {
				close(last)
			}
		})
	}
	working := begin(p)
	<-listed.done
	close(f.due)
	<-seen[0]
	stuck := heap()
	close(goOn)
	<-seen[1]
	free := heap()
	working.end()
	return max(stuck-free, 1) / float64(f.most)
}
