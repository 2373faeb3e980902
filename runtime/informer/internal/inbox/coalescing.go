// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package inbox

import (
	"slices"
	"sync"

	"github.com/indexer-gen/indexer-gen/runtime/delta"
	"github.com/indexer-gen/indexer-gen/runtime/store"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// Coalescing is an Inbox that merges the pending changes of each object. It holds at most one
// entry for each existing object, and for each deleted object that the handler was notified of.
//
// Changes with nothing to merge cost no entries: the inbox shares them with others, in head. If others come
// before they are delivered, they become entries too, except an initial list.
type Coalescing[T metav1.Object] struct {
	onInitial func() // called when the initial list has been delivered
	clock     *Clock
	waited    bool // the last Next waited; used only by its caller

	mu       sync.Mutex
	head     *unit[T] // delivered before entries, of which there are none unless it is an initial list
	entries  map[types.NamespacedName]*entry[T]
	order    []place // of entries, by first change; may include places of entries that are gone
	places   int     // last place that was assigned
	listed   int     // last place that may be of the initial list; -1 until its end has come
	inFlight int     // 1 if the last Next returned a change
	since    int64   // when that change came

	resync    *Reader[T]    // a resync that Next turns into entries; nil if there is none
	requested int64         // when it was requested
	resynced  int           // last place of the last resync
	held      []Delivery[T] // came since, and are put afterwards
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
	return &Coalescing[T]{onInitial: onInitial, clock: c, listed: -1, entries: make(map[types.NamespacedName]*entry[T])}
}

// Full implements Inbox: a Coalescing is never full.
func (b *Coalescing[T]) Full() bool { return false }

// Put implements Inbox.
func (b *Coalescing[T]) Put(d *Delivery[T]) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.resync != nil {
		later := *d
		later.checked, later.unique, later.Keys = true, false, nil
		b.held = append(b.held, later)
		return
	}
	b.put(d, b.clock.Ticked())
}

// put is Put without a resync. It requires the lock.
func (b *Coalescing[T]) put(d *Delivery[T], came int64) {
	if b.shares(d) {
		b.head = &unit[T]{changes: d.Changes, came: came, initial: d.Initial}
	} else {
		b.unshare()
		for i := range d.Changes {
			b.merge(&d.Changes[i], d.Initial, came)
		}
	}
	if d.Last {
		b.listed = b.places
	}
}

// shares reports whether d has nothing to merge. It requires the lock.
func (b *Coalescing[T]) shares(d *Delivery[T]) bool {
	switch {
	case b.head != nil || len(b.entries) > 0 || len(d.Changes) == 0:
		return false
	case d.Initial:
		return !slices.ContainsFunc(d.Changes, func(c Change[T]) bool { return c.Type != delta.Added })
	}
	return !d.Last && d.distinct()
}

// unshare replaces head by entries unless it is an initial list. It requires the lock.
func (b *Coalescing[T]) unshare() {
	u := b.head
	if u == nil || u.initial {
		return
	}
	for b.head = nil; u.at < len(u.changes); u.at++ {
		b.merge(&u.changes[u.at], false, u.came)
	}
}

// merge merges c, which came at came, into the entry of its object. It requires the lock.
func (b *Coalescing[T]) merge(c *Change[T], initial bool, came int64) {
	key := keyOf(c)
	e, found := b.entries[key]
	if !found {
		b.places++
		e = &entry[T]{seq: b.places, known: c.Type != delta.Added, seen: c.Old}
		b.entries[key] = e
		b.order = append(b.order, place{key: key, seq: e.seq, came: came})
	}
	e.initial = e.initial || initial
	if e.merge(c); !e.gone && !e.exists { // added and deleted
		b.cancel(key)
	}
}

// cancel removes an entry without an outcome. It requires the lock.
func (b *Coalescing[T]) cancel(key types.NamespacedName) {
	delete(b.entries, key)
	if len(b.order) > 2*len(b.entries)+16 {
		b.order = slices.DeleteFunc(b.order, func(p place) bool { return b.at(p) == nil })
	}
}

// at returns the entry of a place, or nil if it is gone. It requires the lock.
func (b *Coalescing[T]) at(p place) *entry[T] {
	if e := b.entries[p.key]; e != nil && e.seq == p.seq {
		return e
	}
	return nil
}

// first returns the place of the oldest entry, and that entry, or nil. It requires the lock.
func (b *Coalescing[T]) first() (p place, e *entry[T]) {
	for ; len(b.order) > 0; b.order = b.order[1:] {
		if e := b.at(b.order[0]); e != nil {
			return b.order[0], e
		}
	}
	b.order = nil
	return place{}, nil
}

// List implements Inbox.
func (b *Coalescing[T]) List(r Reader[T], last bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.head = &unit[T]{snapshot: r, unread: true, initial: true, came: b.clock.Ticked()}
	if last {
		b.listed = b.places
	}
}

// Resync does nothing if a resync is pending. The caller calls Next soon: until then, and while that reads
// the snapshot, Put only keeps what comes.
func (b *Coalescing[T]) Resync(r Reader[T]) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if p, e := b.first(); b.resync != nil || e != nil && p.seq <= b.resynced {
		return
	}
	b.resync, b.requested = &r, b.clock.Ticked()
}

// mergeResync makes entries of the objects of a resync that are not pending. It requires the lock, which it
// releases between two objects.
func (b *Coalescing[T]) mergeResync() {
	b.waited = true
	b.unshare()
	for obj := range b.resync.All() {
		if _, pending := b.entries[store.KeyOf(obj)]; !pending {
			b.merge(&Change[T]{Old: obj, New: obj, Type: delta.Updated}, false, b.requested)
		}
		b.mu.Unlock()
		b.mu.Lock()
	}
	b.resynced = b.places
	for i := range b.held {
		b.put(&b.held[i], b.requested)
	}
	b.resync, b.held = nil, nil
}

// Next implements Inbox.
func (b *Coalescing[T]) Next() (c Change[T], inInitialList, ok bool) {
	if b.waited = !b.mu.TryLock(); b.waited {
		b.mu.Lock()
	}
	defer b.mu.Unlock()
	if b.resync != nil {
		b.mergeResync()
	}
	b.settle()
	if c, inInitialList, ok = b.fromHead(); !ok {
		b.checkInitial()
		c, inInitialList, ok = b.fromEntries()
	}
	if ok {
		b.inFlight = 1
	}
	return c, inInitialList, ok
}

// Waited implements Inbox.
func (b *Coalescing[T]) Waited() bool { return b.waited }

// fromHead removes and returns the next change of head. If an entry is pending for the object, head is an
// initial list, and the entry is newer. fromHead requires the lock, which it releases while it reads a
// snapshot.
func (b *Coalescing[T]) fromHead() (c Change[T], inInitialList, ok bool) {
	u := b.head
	if u != nil && u.unread {
		b.waited = true
		b.mu.Unlock()
		changes := u.read()
		b.mu.Lock()
		u.expand(changes)
	}
	for u != nil && u.at < len(u.changes) {
		c = u.changes[u.at]
		u.at++
		if key := store.KeyOf(c.New); len(b.entries) > 0 && b.entries[key] != nil {
			e := b.entries[key]
			b.cancel(key)
			if !e.exists {
				continue
			}
			c.New = e.now
		}
		b.since = u.came
		return c, u.initial, true
	}
	b.head = nil
	return Change[T]{}, false, false
}

// fromEntries removes and returns the next change of the oldest entry. It requires the lock.
func (b *Coalescing[T]) fromEntries() (c Change[T], inInitialList, ok bool) {
	p, e := b.first()
	if e == nil {
		return c, false, false
	}
	b.since = p.came
	c, last := e.next()
	if last {
		delete(b.entries, p.key)
		b.order = b.order[1:]
	}
	return c, e.initial && c.Type == delta.Added, true
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
	if b.listed < 0 || b.head != nil && b.head.initial {
		return
	}
	if p, e := b.first(); e == nil || p.seq > b.listed {
		b.onInitial()
	}
}

// Waiting counts an object twice if it is in an entry and an initial list.
func (b *Coalescing[T]) Waiting() (n int, since int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	n, since = b.inFlight+len(b.entries), b.since
	if p, e := b.first(); e != nil {
		since = earlier(since, p.came)
	}
	if b.head != nil {
		n, since = n+b.head.len(), earlier(since, b.head.came)
	}
	return n, since
}
