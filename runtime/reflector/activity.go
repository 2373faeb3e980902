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

// activity is what a reflector counts about itself, for whoever asks. Run's goroutine
// writes it; what it writes for each object or event is atomic.
type activity struct {
	base    time.Time // that the clock readings below are counted from
	objects atomic.Int64
	events  [len(eventTypes)]atomic.Int64
	heard   atomic.Int64
	marked  atomic.Int64
	listed  metrics.Timing

	mu        sync.Mutex
	phase     Phase
	since     time.Time
	began     time.Time // of the list under way
	remaining int64     // objects, by what the last page said; negative if it did not
	at        int64     // objects when it did
	quiet     time.Time // since when the list under way has brought nothing; zero if it does not stall
	failures  int
	requests  map[Op]int64
	ends      map[string]int64
	errors    map[ErrorKind]int64
	waited    time.Duration
	rewinds   int64
	lastList  int
	before    int64 // events before the watch under way
	noStreams bool
}

var eventTypes = [...]watch.EventType{watch.Added, watch.Modified, watch.Deleted, watch.Bookmark}

func newActivity() *activity {
	now := time.Now()
	return &activity{
		base: now, phase: PhaseNone, since: now, remaining: -1,
		requests: map[Op]int64{}, ends: map[string]int64{}, errors: map[ErrorKind]int64{},
	}
}

// clock returns the time since base, never 0.
func (a *activity) clock() int64 { return int64(time.Since(a.base)) + 1 }

// when is the time of a clock reading, zero if there was none.
func (a *activity) when(clock int64) time.Time {
	if clock == 0 {
		return time.Time{}
	}
	return a.base.Add(time.Duration(clock - 1))
}

func (a *activity) enter(p Phase) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.phase, a.since = p, time.Now()
}

// list notes that what exists is being read from the start.
func (a *activity) list(op Op) {
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

// restart notes that the list under way starts over.
func (a *activity) restart() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.objects.Store(0)
	a.remaining = -1
}

// noWatchList notes whether what exists will always be listed.
func (a *activity) noWatchList(always bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.noStreams = always
}

// object notes one more object of a WatchList.
func (a *activity) object() {
	a.objects.Add(1)
	a.heard.Store(a.clock())
}

// request notes one request.
func (a *activity) request(op Op) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.requests[op]++
}

// stalled notes that the list under way has brought nothing since then, or, if since is zero,
// that it does not stall.
func (a *activity) stalled(since time.Time) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.quiet = since
}

// page notes the end of a page, and how many objects come after it, if that is known.
func (a *activity) page(remaining *int64) {
	a.heard.Store(a.clock())
	a.mu.Lock()
	defer a.mu.Unlock()
	a.at, a.remaining = a.objects.Load(), -1
	if remaining != nil {
		a.remaining = *remaining
	}
}

// delivered notes that all that exists was read, and returns how long that took.
func (a *activity) delivered(n int, rewound bool) time.Duration {
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

// watch notes that a watch begins.
func (a *activity) watch() {
	a.enter(PhaseWatching)
	a.mu.Lock()
	defer a.mu.Unlock()
	a.before = a.received()
}

// received is how many events came so far.
func (a *activity) received() (n int64) {
	for i := range a.events {
		n += a.events[i].Load()
	}
	return n
}

// event notes an event of a watch.
func (a *activity) event(t watch.EventType) {
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

// watchEnded notes the end of a watch, and returns how many events came by it.
func (a *activity) watchEnded(reason string) int {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.ends[reason]++
	n := a.received() - a.before
	if n > 0 {
		a.failures = 0
	}
	return int(n)
}

// failed notes an error.
func (a *activity) failed(err *Error) {
	kind := ErrorKind{err.Op, Reason(err.Err)} // which calls foreign methods
	a.mu.Lock()
	defer a.mu.Unlock()
	a.errors[kind]++
}

// wait notes that nothing is done for d, after a failure.
func (a *activity) wait(d time.Duration) {
	a.enter(PhaseWaiting)
	a.mu.Lock()
	defer a.mu.Unlock()
	a.failures++
	a.waited += d
}

// progress returns how far the reflector is.
func (a *activity) progress() Progress {
	a.mu.Lock()
	defer a.mu.Unlock()
	p := Progress{Phase: a.phase, Since: a.since, Objects: int(a.objects.Load()), Remaining: -1, Failures: a.failures}
	if a.phase == PhaseWatching && a.received() > a.before {
		p.Failures = 0
	}
	if !a.quiet.IsZero() {
		p.Stalled = time.Since(a.quiet)
	}
	if a.remaining >= 0 {
		p.Remaining = int(max(0, a.remaining-(int64(p.Objects)-a.at)))
	}
	return p
}

// stats adds to s what was counted.
func (a *activity) stats(s *Stats) {
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
