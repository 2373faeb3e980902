// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package trigger

import (
	"context"
	"sync"
	"time"

	"github.com/indexer-gen/indexer-gen/runtime/internal/ctxsync"
)

// queue holds the keys that are pending or in a loop body, each once.
type queue struct {
	signal ctxsync.Signal // raised if a key is ready

	mu      sync.Mutex
	entries map[Key]*entry
	ready   []Key
}

// entry is one key.
type entry struct {
	causes Causes      // of what is pending; none if nothing is
	due    time.Time   // when it is ready
	timer  *time.Timer // until it is ready; nil otherwise
	taken  bool        // a loop body runs
}

func newQueue() *queue {
	return &queue{signal: ctxsync.NewSignal(), entries: map[Key]*entry{}}
}

// add makes key pending after delay, and reports whether it was pending already.
func (q *queue) add(key Key, cause Cause, delay time.Duration) (merged bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	e := q.entries[key]
	if e == nil {
		e = &entry{}
		q.entries[key] = e
	}
	merged = len(e.causes) > 0
	e.causes = e.causes.merge(cause)
	due := time.Now().Add(delay)
	if merged && !due.Before(e.due) {
		return true
	}
	e.due = due
	if !e.taken {
		q.schedule(key, e, delay)
	}
	return merged
}

// schedule makes a pending key ready after delay. The caller holds mu.
func (q *queue) schedule(key Key, e *entry, delay time.Duration) {
	if e.timer != nil {
		e.timer.Stop()
		e.timer = nil
	}
	if delay <= 0 {
		q.ready = append(q.ready, key)
		q.signal.Raise()
		return
	}
	var timer *time.Timer
	timer = time.AfterFunc(delay, func() {
		q.mu.Lock()
		defer q.mu.Unlock()
		if e.timer == timer {
			q.schedule(key, e, 0)
		}
	})
	e.timer = timer
}

// take waits for a key that is ready. It returns false if ctx ends.
func (q *queue) take(ctx context.Context) (Key, Causes, bool) {
	for ctx.Err() == nil {
		if key, causes, ok := q.pop(); ok {
			return key, causes, true
		}
		_ = q.signal.Wait(ctx, nil)
	}
	return Key{}, nil, false
}

func (q *queue) pop() (Key, Causes, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.ready) == 0 {
		return Key{}, nil, false
	}
	key := q.ready[0]
	q.ready = q.ready[1:]
	if len(q.ready) > 0 {
		q.signal.Raise()
	}
	e := q.entries[key]
	causes := e.causes
	e.causes, e.taken = nil, true
	return key, causes, true
}

// done ends the loop body of key.
func (q *queue) done(key Key) {
	q.mu.Lock()
	defer q.mu.Unlock()
	e := q.entries[key]
	e.taken = false
	if len(e.causes) == 0 {
		delete(q.entries, key)
		return
	}
	q.schedule(key, e, time.Until(e.due))
}

// clear drops all keys. No loop body runs.
func (q *queue) clear() {
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, e := range q.entries {
		if e.timer != nil {
			e.timer.Stop()
			e.timer = nil
		}
	}
	clear(q.entries)
	q.ready = nil
}
