// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package hub

import (
	"sync"

	"github.com/indexer-gen/indexer-gen/runtime/store"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// coalescing is an inbox that keeps a snapshot of the objects of which the handler was notified. A delivery that waits
// alone is passed on as it is. Several become one pass, which notifies the handler of the difference of two
// snapshots. So the inbox holds versions of the store, and the changes of one delivery.
type coalescing[T metav1.Object] struct {
	mu        sync.Mutex
	known     reader[T] // what the handler knows after the running pass
	due       pass[T]   // the next pass; came is 0 if there is none
	since     int64     // when the first change of the running pass came, 0 if none runs
	calls     int       // of the running pass, at most
	resyncing bool      // a resync is due or runs

	// Used only by the goroutine that calls the handler.
	running pass[T]
	diff    store.Diff[T]     // of a pass of several deliveries
	more    bool              // diff may have more changes
	changes []store.Change[T] // the last ones of diff
}

// pass is a sequence of calls that brings the handler to a later state of the store. Its Delivery is the only one, or
// has the state after several and no changes.
type pass[T metav1.Object] struct {
	Delivery[T]
	several bool
	calls   int // at most

	// released holds the objects that left with a part of the source. The difference of two snapshots does not show
	// that. Without it, a handler would take objects that another replica of a sharded program takes over for deleted
	// ones, and clean up what the other replica owns.
	released map[types.NamespacedName]struct{}
}

// changesAtOnce is about the number of changes of a difference that are delivered at once.
const changesAtOnce = 64

// Put drops a resync if one is due or runs.
func (b *coalescing[T]) Put(d *Delivery[T]) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if d.resync && b.resyncing {
		return
	}
	b.resyncing = b.resyncing || d.resync
	b.due.add(d)
	if d.Released || b.due.released != nil {
		b.due.release(d, b.known)
	}
}

// add adds a delivery to a pass.
func (p *pass[T]) add(d *Delivery[T]) {
	p.calls += d.len()
	if p.came == 0 {
		p.Delivery, p.several = *d, d.whole
		return
	}
	p.several, p.Changes, p.after = true, nil, d.after
	p.Initial, p.Last, p.resync = p.Initial || d.Initial, p.Last || d.Last, p.resync || d.resync
}

// release adds the objects of known that left with a part of the source, and drops those that are back.
func (p *pass[T]) release(d *Delivery[T], known reader[T]) {
	if p.released == nil {
		p.released = make(map[types.NamespacedName]struct{})
	}
	for i := range d.Changes {
		switch c := &d.Changes[i]; {
		case c.Type == store.Added:
			delete(p.released, store.KeyOf(c.New))
		case c.Cause == store.SourceRemoved:
			if _, ok := known.Get(store.KeyOf(c.Old)); ok {
				p.released[store.KeyOf(c.Old)] = struct{}{}
			}
		}
	}
}

// Next implements inbox.
func (b *coalescing[T]) Next() (d Delivery[T], ok bool) {
	if !b.more && !b.begin() {
		return d, false
	}
	d = b.running.Delivery
	if b.running.several {
		d.Changes = b.read()
	}
	d.Last = d.Last && !b.more
	return d, true
}

// begin ends the pass that runs, and begins the next one if it is due.
func (b *coalescing[T]) begin() bool {
	clear(b.changes)
	b.changes = b.changes[:0]
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.running.resync {
		b.resyncing = false
	}
	b.running, b.due, b.diff = b.due, pass[T]{}, store.Diff[T]{}
	b.since, b.calls = b.running.came, b.running.calls
	if b.since == 0 {
		return false
	}
	if b.running.several {
		b.diff = store.DiffOf(b.known, b.running.after, b.running.resync)
	}
	b.known = b.running.after
	return true
}

// read returns the next changes of the difference.
func (b *coalescing[T]) read() []store.Change[T] {
	clear(b.changes)
	b.changes = b.diff.Append(b.changes[:0], changesAtOnce)
	b.more = len(b.changes) >= changesAtOnce
	if b.running.released == nil {
		return b.changes
	}
	for i := range b.changes {
		c := &b.changes[i]
		if _, released := b.running.released[store.KeyOf(c.New)]; released && c.Type == store.Deleted {
			c.Cause = store.SourceRemoved
		}
	}
	return b.changes
}

// Called implements inbox. The calls of a pass are pending until it ends.
func (b *coalescing[T]) Called() {}

// Discard implements inbox.
func (b *coalescing[T]) Discard(all bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.due = (pass[T]{}); all {
		b.known, b.running, b.diff, b.more, b.changes = reader[T]{}, pass[T]{}, store.Diff[T]{}, false, nil
	}
}

// Full implements inbox: a coalescing is never full.
func (b *coalescing[T]) Full() bool { return false }

// Waiting implements inbox. Several changes of one object count several times.
func (b *coalescing[T]) Waiting() (n int, since int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if since = b.since; since == 0 {
		since = b.due.came
	}
	return b.calls + b.due.calls, since
}
