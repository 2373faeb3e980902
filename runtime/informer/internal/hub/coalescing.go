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
	onInitial func() // called when the initial list has been delivered

	mu        sync.Mutex
	known     reader[T] // what the handler knows after the running pass
	due       pass[T]   // the next pass; came is 0 if there is none
	since     int64     // when the first change of the running pass came, 0 if none runs
	calls     int       // of the running pass, at most
	resyncing bool      // a resync is due or runs

	// Used only by the goroutine that calls the handler.
	running bool
	pass    pass[T]
	diff    store.Diff[T] // of a pass that is not direct
	waited  bool          // the last Next began a pass
}

// pass is a sequence of calls that brings the handler to a later state of the store.
type pass[T metav1.Object] struct {
	direct   bool                              // changes are one delivery
	changes  []store.Change[T]                 // of a direct pass
	target   reader[T]                         // the state after the pass
	initial  bool                              // some additions are of an initial list
	last     bool                              // the initial list ends with the pass
	resync   bool                              // objects that have not changed are repeated
	came     int64                             // when the first delivery came
	calls    int                               // at most
	released map[types.NamespacedName]struct{} // deleted because a part of the source was removed
}

// newCoalescing returns an empty inbox. onInitial is called when the initial list has been
// delivered.
func newCoalescing[T metav1.Object](onInitial func()) *coalescing[T] {
	return &coalescing[T]{onInitial: onInitial}
}

// Full implements inbox: a coalescing is never full.
func (b *coalescing[T]) Full() bool { return false }

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
	if p.changes, p.direct = nil, p.came == 0 && !d.whole; p.direct {
		p.changes = d.Changes
	}
	if p.came == 0 {
		p.came = d.came
	}
	p.target = d.after
	p.calls += d.len()
	p.initial, p.last, p.resync = p.initial || d.Initial, p.last || d.Last, p.resync || d.resync
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
func (b *coalescing[T]) Next() (c store.Change[T], inInitialList, ok bool) {
	for b.waited = false; ; {
		if !b.running {
			if b.waited = true; !b.begin() {
				return c, false, false
			}
		}
		if b.pass.direct {
			if ok = len(b.pass.changes) > 0; ok {
				c, b.pass.changes = b.pass.changes[0], b.pass.changes[1:]
			}
		} else if c, ok = b.diff.Next(); ok && c.Type == store.Deleted {
			if _, released := b.pass.released[store.KeyOf(c.Old)]; released {
				c.Cause = store.SourceRemoved
			}
		}
		if ok {
			return c, b.pass.initial && c.Type == store.Added, true
		}
		b.end()
	}
}

// begin begins the next pass, if one is due.
func (b *coalescing[T]) begin() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.pass, b.due = b.due, pass[T]{}
	b.since, b.calls, b.running = b.pass.came, b.pass.calls, b.pass.came != 0
	if !b.running {
		return false
	}
	if !b.pass.direct {
		b.diff = store.DiffOf(b.known, b.pass.target, b.pass.resync)
	}
	b.known = b.pass.target
	return true
}

// end ends the pass, whose calls have returned.
func (b *coalescing[T]) end() {
	p := b.pass
	b.running, b.pass, b.diff = false, pass[T]{}, store.Diff[T]{}
	if p.resync {
		b.mu.Lock()
		b.resyncing = false
		b.mu.Unlock()
	}
	if p.last {
		b.onInitial()
	}
}

// Waited implements inbox.
func (b *coalescing[T]) Waited() bool { return b.waited }

// Settle implements inbox. The calls of a pass are pending until it ends.
func (b *coalescing[T]) Settle() {}

// Discard implements inbox.
func (b *coalescing[T]) Discard(all bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.due = (pass[T]{}); all {
		b.known, b.since, b.calls = reader[T]{}, 0, 0
		b.running, b.pass, b.diff = false, pass[T]{}, store.Diff[T]{}
	}
}

// Waiting implements inbox. Several changes of one object count.
func (b *coalescing[T]) Waiting() (n int, since int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if since = b.since; since == 0 {
		since = b.due.came
	}
	return b.calls + b.due.calls, since
}
