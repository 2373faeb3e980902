// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package reflector

import (
	"maps"
	"sync"
	"sync/atomic"
	"time"

	"github.com/indexer-gen/indexer-gen/runtime/metrics"
	"k8s.io/apimachinery/pkg/watch"
)

// counters are the numbers behind Progress and Stats. Run's goroutine writes them. Those of objects
// and events are atomic.
type counters struct {
	base    time.Time // start of heard and marked
	objects atomic.Int64
	events  [len(eventTypes)]atomic.Int64
	heard   atomic.Int64
	marked  atomic.Int64
	listed  metrics.Timing

	mu        sync.Mutex
	phase     Phase
	since     time.Time
	began     time.Time // start of the current list
	remaining int64     // the last known remainingItemCount; negative if there is none
	at        int64     // objects at that page
	failures  int
	requests  map[Op]int64
	ends      map[string]int64
	errors    map[ErrorKind]int64
	waited    time.Duration
	rewinds   int64
	lastList  int
	before    int64 // events before the current watch
	noStreams bool
}

var eventTypes = [...]watch.EventType{watch.Added, watch.Modified, watch.Deleted, watch.Bookmark}

func newCounters() *counters {
	now := time.Now()
	return &counters{
		base: now, phase: PhaseNone, since: now, remaining: -1,
		requests: map[Op]int64{}, ends: map[string]int64{}, errors: map[ErrorKind]int64{},
	}
}

// clock returns the time since base, never 0.
func (a *counters) clock() int64 { return int64(time.Since(a.base)) + 1 }

// when converts a clock reading; the zero Time for 0.
func (a *counters) when(clock int64) time.Time {
	if clock == 0 {
		return time.Time{}
	}
	return a.base.Add(time.Duration(clock - 1))
}

func (a *counters) enter(p Phase) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.phase, a.since = p, time.Now()
}

// list records the start of a LIST or WatchList.
func (a *counters) list(op Op) {
	phase := PhaseListing
	if op == OpWatchList {
		phase = PhaseStreaming
		a.request(op)
	}
	a.enter(phase)
	a.mu.Lock()
	defer a.mu.Unlock()
	a.objects.Store(0)
	a.began, a.remaining = a.since, -1
}

// noWatchList records whether the reflector always uses LIST.
func (a *counters) noWatchList(always bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.noStreams = always
}

// object counts an object of a WatchList.
func (a *counters) object() {
	a.objects.Add(1)
	a.heard.Store(a.clock())
}

// request counts a request.
func (a *counters) request(op Op) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.requests[op]++
}

// page records the end of a page and its remainingItemCount, nil if unknown.
func (a *counters) page(remaining *int64) {
	a.heard.Store(a.clock())
	a.mu.Lock()
	defer a.mu.Unlock()
	if remaining != nil {
		a.at, a.remaining = a.objects.Load(), *remaining
	}
}

// delivered records a complete list and returns its duration.
func (a *counters) delivered(n int, rewound bool) time.Duration {
	a.heard.Store(a.clock())
	a.mu.Lock()
	defer a.mu.Unlock()
	took := time.Since(a.began)
	a.listed.Observe(took)
	a.failures, a.remaining, a.lastList = 0, -1, n
	if rewound {
		a.rewinds++
	}
	return took
}

// watch records the start of a watch.
func (a *counters) watch() {
	a.enter(PhaseWatching)
	a.mu.Lock()
	defer a.mu.Unlock()
	a.before = a.received()
}

// received returns the number of events so far.
func (a *counters) received() (n int64) {
	for i := range a.events {
		n += a.events[i].Load()
	}
	return n
}

// event counts an event of a watch.
func (a *counters) event(t watch.EventType) {
	now := a.clock()
	a.heard.Store(now)
	if t == watch.Bookmark {
		a.marked.Store(now)
	}
	for i, known := range eventTypes {
		if t == known {
			a.events[i].Add(1)
			return
		}
	}
}

// watchEnded records the end of a watch and returns the number of its events.
func (a *counters) watchEnded(reason string) int {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.ends[reason]++
	n := a.received() - a.before
	if n > 0 {
		a.failures = 0
	}
	return int(n)
}

// failed counts an error.
func (a *counters) failed(err *Error) {
	kind := ErrorKind{err.Op, Reason(err.Err)} // which calls foreign methods
	a.mu.Lock()
	defer a.mu.Unlock()
	a.errors[kind]++
}

// wait records a wait of d after a failure.
func (a *counters) wait(d time.Duration) {
	a.enter(PhaseWaiting)
	a.mu.Lock()
	defer a.mu.Unlock()
	a.failures++
	a.waited += d
}

// progress returns Progress without LastError.
func (a *counters) progress() Progress {
	a.mu.Lock()
	defer a.mu.Unlock()
	p := Progress{
		Phase: a.phase, Since: a.since, Failures: a.failures,
		Objects: int(a.objects.Load()), Remaining: -1,
	}
	if a.phase == PhaseWatching && a.received() > a.before {
		p.Failures = 0
	}
	if a.remaining >= 0 {
		p.Remaining = int(max(0, a.remaining-(int64(p.Objects)-a.at)))
	}
	return p
}

// stats sets the counters of s.
func (a *counters) stats(s *Stats) {
	s.Events = make(map[watch.EventType]int64, len(eventTypes))
	for i, t := range eventTypes {
		s.Events[t] = a.events[i].Load()
	}
	s.Heard, s.Bookmarked = a.when(a.heard.Load()), a.when(a.marked.Load())
	s.ListTimes = a.listed.Distribution()
	a.mu.Lock()
	defer a.mu.Unlock()
	s.Requests, s.WatchEnds, s.Errors = maps.Clone(a.requests), maps.Clone(a.ends), maps.Clone(a.errors)
	s.Waited, s.Rewinds, s.Listed, s.NoWatchList = a.waited, a.rewinds, a.lastList, a.noStreams
}
