// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package differential

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"time"
)

// verbs of steps.
const (
	set       = "set"      // an object of that number: create or change it
	remove    = "remove"   // it
	recreate  = "recreate" // it, if it exists, with a new UID
	bookmark  = "bookmark"
	skip      = "skip"    // so many versions
	compact   = "compact" // all history
	cut       = "cut"     // all watches: with faults[n]
	fail      = "fail"    // the next request, with faults[n]
	leave     = "leave"   // answer nothing any more
	back      = "back"    // answer again
	unmark    = "unmark"  // have so many streams end before their bookmark
	expire    = "expire"  // so many continue tokens
	streaming = "streams" // 1: know WatchList, 0: do not
	wait      = "wait"    // so many seconds
	settle    = "settle"  // until both informers are at rest, and compare
	enter     = "handler" // add a handler; 1: that wants resyncs
	exit      = "without" // remove the one that was added last
)

// step is one line of a script.
type step struct {
	verb string
	n    int
}

func (s step) String() string {
	switch s.verb {
	case cut, fail:
		return s.verb + " " + faults[s.n].name
	case wait:
		return fmt.Sprintf("%s %v", s.verb, time.Duration(s.n)*time.Second)
	case enter:
		return []string{s.verb, s.verb + " with resyncs"}[s.n]
	case bookmark, compact, leave, back, settle, exit:
		return s.verb
	}
	return fmt.Sprintf("%s %d", s.verb, s.n)
}

// script is a whole stream.
type script struct {
	seed    uint64
	streams bool // the clients and the servers know WatchList
	cached  bool // the servers have a cache
	lag     int
	resync  int // seconds between resyncs, of handlers that want them; 0: none do
	objects int // that exist in the beginning
	before  []step
	steps   []step
}

func (s script) String() string {
	var b strings.Builder
	fmt.Fprintf(
		&b,
		"seed %d: WatchList %v, cache %v, lag %d, resyncs each %d s, %d objects\n",
		s.seed,
		s.streams,
		s.cached,
		s.lag,
		s.resync,
		s.objects,
	)
	for _, step := range s.before {
		fmt.Fprintf(&b, "  before the start: %s\n", step)
	}
	for _, step := range s.steps {
		fmt.Fprintf(&b, "  %s\n", step)
	}
	return b.String()
}

// things is how many objects there are at most.
const things = 8

func randomScript(seed uint64) script {
	r := rand.New(rand.NewPCG(seed, 0))
	s := script{seed: seed, streams: r.IntN(2) == 0, cached: r.IntN(2) == 0, objects: r.IntN(things + 1)}
	if r.IntN(3) == 0 {
		s.lag = r.IntN(6)
	}
	if r.IntN(2) == 0 {
		s.resync = []int{7, 30, 100}[r.IntN(3)]
	}
	for range r.IntN(8) {
		if r.IntN(4) == 0 {
			s.before = append(s.before, fault(r))
		} else {
			s.before = append(s.before, change(r))
		}
	}
	for range 3 + r.IntN(4) {
		away := false
		for range 1 + r.IntN(10) {
			switch n := r.IntN(20); {
			case n < 11:
				s.steps = append(s.steps, change(r))
			case n == 11:
				s.steps = append(s.steps, step{bookmark, 0})
			case n == 12:
				s.steps = append(s.steps, step{skip, 1 + r.IntN(5)})
			case n == 13:
				s.steps = append(s.steps, step{wait, []int{1, 5, 20, 90, 400}[r.IntN(5)]})
			case n == 14 && r.IntN(3) == 0:
				s.steps = append(s.steps, []step{{enter, 0}, {enter, 1}, {exit, 0}, {exit, 0}}[r.IntN(4)])
			case n == 15 && away:
				s.steps, away = append(s.steps, step{back, 0}), false
			case n == 15:
				s.steps, away = append(s.steps, step{leave, 0}), true
			case n == 16:
				s.steps = append(s.steps, step{compact, 0})
			default:
				s.steps = append(s.steps, fault(r))
			}
		}
		s.steps = append(s.steps, step{settle, 0})
	}
	return s
}

func change(r *rand.Rand) step {
	return step{[]string{set, set, set, remove, recreate}[r.IntN(5)], r.IntN(things)}
}

func fault(r *rand.Rand) step {
	switch n := r.IntN(10); {
	case n < 5:
		return step{cut, r.IntN(len(faults))}
	case n < 7:
		return step{fail, 1 + r.IntN(len(faults)-1)}
	case n == 7:
		return step{unmark, 1 + r.IntN(4)}
	case n == 8:
		return step{expire, 1 + r.IntN(2)}
	}
	return step{streaming, r.IntN(2)}
}
