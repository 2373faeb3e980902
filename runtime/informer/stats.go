// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package informer

import (
	"maps"
	"slices"
	"sync/atomic"
	"time"

	"github.com/indexer-gen/indexer-gen/runtime/metrics"
	"github.com/indexer-gen/indexer-gen/runtime/reflector"
)

// Stats are statistics of an informer, for example for a debug page.
type Stats struct {
	Resource string // "widgets.example.com/v1"
	Name     string
	Synced   bool
	Objects  int // in the store
	Sources  []SourceStats
	Handlers []HandlerStats // in the order in which they were added
	// IndexErrors counts the errors of index functions, by index.
	IndexErrors map[string]int64
}

// SourceStats are statistics of one source since the current run began to read it.
type SourceStats struct {
	Name string
	reflector.Stats
}

// Stats returns statistics. Its cost is proportional to the number of sources and handlers.
func (i *Informer[T]) Stats() Stats {
	s := Stats{
		Resource: describe(i.resource, "", ""), Name: i.opts.name, Synced: i.HasSynced(),
		Objects: i.store.Reader().Len(),
	}
	for _, one := range i.Sources() {
		if r := one.reflector(); r != nil {
			s.Sources = append(s.Sources, SourceStats{one.name, r.Stats()})
		}
	}
	i.mu.Lock()
	s.IndexErrors = maps.Clone(i.indexErrors)
	listeners := append(slices.Clone(i.listeners), i.joining...)
	i.mu.Unlock()
	for _, l := range listeners {
		s.Handlers = append(s.Handlers, l.stats())
	}
	return s
}

// Stats returns the statistics of the informers that are running. Informers that are not an
// *Informer and embed none have no statistics.
func (f *Factory) Stats() []Stats {
	f.mu.Lock()
	live := slices.Clone(f.live)
	f.mu.Unlock()
	var all []Stats
	for _, m := range live {
		if o, ok := m.Runner.(owned); ok {
			all = append(all, o.Stats())
		}
	}
	return all
}

// HandlerStats are statistics of one handler.
type HandlerStats struct {
	Name string // of WithHandlerName
	// Pending is the number of pending changes, including the current call. Each entry of a
	// coalescing handler counts as one.
	Pending int
	// Oldest is the age of the oldest pending change, 0 if there is none.
	Oldest time.Duration
	// Calling is how long the current call has lasted, 0 if there is none.
	Calling time.Duration
	// Calls is the distribution of the durations of past calls.
	Calls metrics.Distribution
	// Blocked is the total time that the informer has waited for the handler.
	Blocked time.Duration
	Panics  int  // calls that panicked
	Synced  bool // the handler has returned from the initial list
}

// timings are the counters of a listener.
type timings struct {
	calls   metrics.Timing
	calling atomic.Int64 // start of the current call, 0 if there is none
	panics  atomic.Int64

	blocked  atomic.Int64
	blocking atomic.Int64 // start of the informer's current wait for the handler, 0 if there is none
}

// returned counts a call that began at began, and returns the current time.
func (l *listener[T]) returned(began int64) int64 {
	now := l.clock.Read()
	l.timings.calls.Observe(time.Duration(now - began))
	return now
}

func (l *listener[T]) stats() HandlerStats {
	now := l.clock.Read()
	s := HandlerStats{
		Name: l.opts.name, Calls: l.timings.calls.Distribution(),
		Blocked: time.Duration(l.timings.blocked.Load()) + age(now, l.timings.blocking.Load()),
		Panics:  int(l.timings.panics.Load()), Calling: age(now, l.timings.calling.Load()),
		Synced: isClosed(l.synced),
	}
	var oldest int64
	s.Pending, oldest = l.inbox.Waiting()
	s.Oldest = age(now, oldest)
	return s
}

// age returns the time since a clock reading, or 0 if that is 0.
func age(now, then int64) time.Duration {
	if then == 0 {
		return 0
	}
	return time.Duration(max(now-then, 0))
}
