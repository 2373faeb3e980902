// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package inbox

import (
	"slices"
	"sync"

	"github.com/indexer-gen/indexer-gen/runtime/delta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// Coalescing is an Inbox that merges the pending changes of each object. It holds at most one
// entry for each existing object, and for each deleted object that the handler was notified of.
type Coalescing[T metav1.Object] struct {
	onInitial func() // called when the initial list has been delivered
	clock     *Clock
	waited    bool // the last Next waited; used only by its caller

	mu       sync.Mutex
	entries  map[types.NamespacedName]*entry[T]
	order    []place    // of entries, by first change; may include places of entries that are gone
	places   int        // last place that was assigned
	replays  []*unit[T] // delivered before the entries that came later; or shared changes, see shares
	resyncs  int        // replays that are resyncs
	listed   bool       // the whole initial list is delivered or in entries
	initial  int        // entries that belong to the initial list
	inFlight int        // 1 if the last Next returned a change
	since    int64      // when that change came
}

// place is the position of an entry.
type place struct {
	key  types.NamespacedName
	seq  int
	came int64
}

// NewCoalescing returns an empty inbox. onInitial is called when the initial list has been
// delivered.
func NewCoalescing[T metav1.Object](c *Clock, onInitial func()) *Coalescing[T] {
	return &Coalescing[T]{onInitial: onInitial, clock: c, entries: make(map[types.NamespacedName]*entry[T])}
}

// Full implements Inbox: a Coalescing is never full.
func (b *Coalescing[T]) Full() bool { return false }

// Put implements Inbox.
func (b *Coalescing[T]) Put(d *Delivery[T]) {
	b.mu.Lock()
	defer b.mu.Unlock()
	came := b.clock.Ticked()
	if b.shares(d) {
		b.replays = append(b.replays, &unit[T]{changes: d.Changes, came: came, initial: d.Initial, last: d.Last})
		return
	}
	b.unshare()
	for i := range d.Changes {
		b.merge(&d.Changes[i], d.Initial, came)
	}
	b.listed = b.listed || d.Last
}

// shares reports whether the inbox can share the changes of d with others, because there is nothing to
// merge: the handler keeps up, or d is part of the initial list. It requires the lock.
func (b *Coalescing[T]) shares(d *Delivery[T]) bool {
	switch {
	case len(b.entries) > 0 || b.shared() != nil:
		return false
	case d.Initial:
		return !slices.ContainsFunc(d.Changes, func(c Change[T]) bool { return c.Type != delta.Added })
	}
	return len(b.replays) == 0 && !d.Last && d.distinct()
}

// shared returns the changes that the inbox shares and that are not of the initial list, or nil. There are
// then no entries and no other replays. It requires the lock.
func (b *Coalescing[T]) shared() *unit[T] {
	if len(b.replays) == 1 && !b.replays[0].initial && !b.replays[0].resync {
		return b.replays[0]
	}
	return nil
}

// unshare replaces shared changes by entries, since others come before they are delivered. It requires
// the lock.
func (b *Coalescing[T]) unshare() {
	u := b.shared()
	if u == nil {
		return
	}
	b.replays = nil
	for ; u.at < len(u.changes); u.at++ {
		b.merge(&u.changes[u.at], false, u.came)
	}
}

// Replay drops a resync if one is pending.
func (b *Coalescing[T]) Replay(r Reader[T], initial, last bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !initial {
		if b.resyncs > 0 {
			return
		}
		b.resyncs++
	}
	b.unshare()
	u := newReplay(r, initial, last, b.clock.Ticked())
	u.after = b.places
	b.replays = append(b.replays, u)
}

// Next implements Inbox.
func (b *Coalescing[T]) Next() (c Change[T], inInitialList, ok bool) {
	if b.waited = !b.mu.TryLock(); b.waited {
		b.mu.Lock()
	}
	defer b.mu.Unlock()
	b.settle()
	if c, inInitialList, ok = b.take(); ok {
		b.inFlight = 1
	}
	return c, inInitialList, ok
}

// Waited implements Inbox.
func (b *Coalescing[T]) Waited() bool { return b.waited }

// take removes and returns the next change. It requires the lock.
func (b *Coalescing[T]) take() (c Change[T], inInitialList, ok bool) {
	if c, inInitialList, ok = b.nextReplayed(); ok {
		return c, inInitialList, true
	}
	b.checkInitial()
	return b.pop()
}

// pop removes and returns the change of the oldest entry. If an object was deleted and created again,
// pop returns the deletion first and leaves the entry in place for the addition. It requires the lock.
func (b *Coalescing[T]) pop() (c Change[T], inInitialList, ok bool) {
	for len(b.order) > 0 {
		p := b.order[0]
		e, found := b.entries[p.key]
		found = found && e.seq == p.seq
		if found && e.gone && e.exists {
			b.begin(p.came)
			c = e.final
			e.forget()
			return c, false, true
		}
		b.order = b.order[1:]
		if !found {
			continue
		}
		b.drop(p.key, e)
		b.skip(p.key, e.seq)
		b.begin(p.came)
		c, inInitialList = e.change()
		return c, inInitialList, true
	}
	b.order = nil
	return c, false, false
}

// Settle implements Inbox.
func (b *Coalescing[T]) Settle() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.settle()
}

// settle is Settle; it requires the lock.
func (b *Coalescing[T]) settle() {
	b.inFlight, b.since = 0, 0
	b.checkInitial()
}

// checkInitial calls onInitial if the initial list has been delivered. It requires the lock, and
// that no call is running.
func (b *Coalescing[T]) checkInitial() {
	isInitial := func(u *unit[T]) bool { return u.initial }
	if b.listed && b.initial == 0 && !slices.ContainsFunc(b.replays, isInitial) {
		b.onInitial()
	}
}

// begin records when the change came for which a call begins. It requires the lock.
func (b *Coalescing[T]) begin(came int64) {
	if b.since == 0 {
		b.since = came
	}
}

// Waiting counts an object twice if it is in an entry and a replay.
func (b *Coalescing[T]) Waiting() (n int, since int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	n, since = b.inFlight+len(b.entries), b.since
	if p, ok := b.first(); ok {
		since = earlier(since, p.came)
	}
	for _, u := range b.replays {
		since = earlier(since, u.came)
		n += u.len()
	}
	return n, since
}

// earlier returns the earlier of two times; 0 means none.
func earlier(a, b int64) int64 {
	if a == 0 || b != 0 && b < a {
		return b
	}
	return a
}
