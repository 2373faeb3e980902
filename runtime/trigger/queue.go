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
	ready   []*entry
}

// entry is one key.
type entry struct {
	key    Key
	causes Causes      // of what is pending; none if nothing is
	first  [1]Cause    // the memory of causes, which most keys need no more of
	due    time.Time   // when it is ready; zero if at once, and once it is in ready
	timer  *time.Timer // until it is ready; nil otherwise
	taken  bool        // a loop body runs
}

func newQueue() *queue {
	return &queue{signal: ctxsync.NewSignal(), entries: map[Key]*entry{}}
}

// add makes key pending after delay, and reports whether it was pending already.
func (q *queue) add(key Key, cause Cause, delay time.Duration) (merged bool) {
	var due time.Time
	if delay > 0 {
		due = time.Now().Add(delay)
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	e := q.entries[key]
	if e == nil {
		e = &entry{key: key}
		e.causes = e.first[:0]
		q.entries[key] = e
	}
	merged = len(e.causes) > 0
	e.causes = e.causes.merge(cause)
	if merged && !due.Before(e.due) {
		return true
	}
	e.due = due
	if !e.taken {
		q.schedule(e, delay)
	}
	return merged
}

// schedule makes a pending key ready after delay. The caller holds mu.
func (q *queue) schedule(e *entry, delay time.Duration) {
	if e.timer != nil {
		e.timer.Stop()
		e.timer = nil
	}
	if delay <= 0 {
		e.due = time.Time{}
		q.ready = append(q.ready, e)
		q.signal.Raise()
		return
	}
	var timer *time.Timer
	timer = time.AfterFunc(delay, func() {
		q.mu.Lock()
		defer q.mu.Unlock()
		if e.timer == timer {
			q.schedule(e, 0)
		}
	})
	e.timer = timer
}

// take waits for a key that is ready. It returns nil if ctx ends, and wakes another loop if a key is ready.
func (q *queue) take(ctx context.Context) (taken *entry, causes Causes) {
	for ctx.Err() == nil {
		if taken, causes = q.pop(); taken != nil {
			return taken, causes
		}
		_ = q.signal.Wait(ctx, nil)
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.ready) > 0 {
		q.signal.Raise()
	}
	return nil, nil
}

func (q *queue) pop() (taken *entry, causes Causes) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.ready) == 0 {
		return nil, nil
	}
	taken = q.ready[0]
	q.ready[0] = nil
	if q.ready = q.ready[1:]; len(q.ready) > 0 {
		q.signal.Raise()
	}
	causes = taken.causes
	taken.causes, taken.taken = nil, true
	return taken, causes
}

// handle runs the loop body and reports whether the loop goes on.
func (q *queue) handle(e *entry, causes Causes, yield func(Key, Causes) bool) bool {
	defer q.done(e)
	return yield(e.key, causes)
}

// done ends the loop body of a key.
func (q *queue) done(e *entry) {
	q.mu.Lock()
	defer q.mu.Unlock()
	e.taken = false
	if len(e.causes) == 0 {
		delete(q.entries, e.key)
	} else {
		q.schedule(e, time.Until(e.due)) // a zero due is long ago
	}
}
