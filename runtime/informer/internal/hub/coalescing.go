// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package hub

import (
	"slices"
	"sync"

	"github.com/indexer-gen/indexer-gen/runtime/store"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// coalescing is an inbox that merges the pending changes of each object. It holds at most one
// entry for each existing object, and for each deleted object that the handler was notified of.
//
// Changes with nothing to merge cost no entries: the inbox shares them with others. If others of the same objects
// come before they are delivered, they become entries too, except an initial list.
type coalescing[T metav1.Object] struct {
	onInitial func() // called when the initial list has been delivered
	waited    bool   // the last Next waited; used only by its caller

	mu       sync.Mutex
	shared   []Delivery[T] // delivered before entries, of which there are none unless it is an initial list
	done     int           // changes of the first of shared that were delivered
	entries  map[types.NamespacedName]*entry[T]
	order    []place // of entries, by first change; may include places of entries that are gone
	places   int     // last place that was assigned
	listed   int     // last place that may be of the initial list; -1 until its end has come
	inFlight int     // 1 if the last Next returned a change
	since    int64   // when that change came

	resync   *Delivery[T]  // a resync that Next turns into entries; nil if there is none
	resynced int           // last place of the last resync
	held     []Delivery[T] // came since, and are put afterwards
}

// place is the position of an entry.
type place struct {
	key  types.NamespacedName
	seq  int
	came int64
}

// newCoalescing returns an empty inbox. onInitial is called when the initial list has been
// delivered.
func newCoalescing[T metav1.Object](onInitial func()) *coalescing[T] {
	return &coalescing[T]{onInitial: onInitial, listed: -1, entries: make(map[types.NamespacedName]*entry[T])}
}

// Full implements inbox: a coalescing is never full.
func (b *coalescing[T]) Full() bool { return false }

// Put drops a resync if one is pending. The caller calls Next soon after a resync: until then, and while that
// reads the snapshot, Put only keeps what comes.
func (b *coalescing[T]) Put(d *Delivery[T]) {
	b.mu.Lock()
	defer b.mu.Unlock()
	own := *d
	switch {
	case d.resync:
		if p, e := b.first(); b.resync == nil && (e == nil || p.seq > b.resynced) {
			b.resync = &own
		}
	case b.resync != nil:
		own.repeats = own.number // is not shared
		b.held = append(b.held, own)
	default:
		b.put(d)
	}
}

// put is Put without a resync. It requires the lock.
func (b *coalescing[T]) put(d *Delivery[T]) {
	if d.objects != nil || b.shares(d) {
		b.shared = append(b.shared, *d)
	} else {
		b.unshare()
		for i := range d.Changes {
			b.merge(&d.Changes[i], d.Initial, d.came)
		}
	}
	if d.Last {
		b.listed = b.places
	}
}

// shares reports whether d has nothing to merge. It requires the lock.
func (b *coalescing[T]) shares(d *Delivery[T]) bool {
	switch {
	case len(b.entries) > 0 || b.isInitial() || len(d.Changes) == 0:
		return false
	case d.Initial:
		return len(b.shared) == 0 &&
			!slices.ContainsFunc(d.Changes, func(c store.Change[T]) bool { return c.Type != store.Added })
	case d.Last:
		return false
	case len(b.shared) == 0:
		return d.repeats < d.number
	}
	return d.repeats < b.shared[0].number
}

// isInitial reports whether shared is an initial list. It requires the lock.
func (b *coalescing[T]) isInitial() bool { return len(b.shared) > 0 && b.shared[0].Initial }

// unshare replaces shared by entries unless it is an initial list. It requires the lock.
func (b *coalescing[T]) unshare() {
	if b.isInitial() {
		return
	}
	for _, d := range b.shared {
		for i := range d.Changes[b.done:] {
			b.merge(&d.Changes[b.done+i], false, d.came)
		}
		b.done = 0
	}
	b.shared = nil
}

// merge merges c, which came at came, into the entry of its object. It requires the lock.
func (b *coalescing[T]) merge(c *store.Change[T], initial bool, came int64) {
	key := keyOf(c)
	e, found := b.entries[key]
	if !found {
		b.places++
		e = &entry[T]{seq: b.places, known: c.Type != store.Added, seen: c.Old}
		b.entries[key] = e
		b.order = append(b.order, place{key: key, seq: e.seq, came: came})
	}
	e.initial = e.initial || initial
	if e.merge(c); !e.gone && !e.exists { // added and deleted
		b.cancel(key)
	}
}

// cancel removes an entry without an outcome. It requires the lock.
func (b *coalescing[T]) cancel(key types.NamespacedName) {
	delete(b.entries, key)
	if len(b.order) > 2*len(b.entries)+16 {
		b.order = slices.DeleteFunc(b.order, func(p place) bool { return b.at(p) == nil })
	}
}

// at returns the entry of a place, or nil if it is gone. It requires the lock.
func (b *coalescing[T]) at(p place) *entry[T] {
	if e := b.entries[p.key]; e != nil && e.seq == p.seq {
		return e
	}
	return nil
}

// first returns the place of the oldest entry, and that entry, or nil. It requires the lock.
func (b *coalescing[T]) first() (p place, e *entry[T]) {
	for ; len(b.order) > 0; b.order = b.order[1:] {
		if e := b.at(b.order[0]); e != nil {
			return b.order[0], e
		}
	}
	b.order = nil
	return place{}, nil
}

// mergeResync makes entries of the objects of a resync that are not pending. It requires the lock, which it
// releases between two objects.
func (b *coalescing[T]) mergeResync() {
	b.waited = true
	b.unshare()
	for obj := range b.resync.objects.All() {
		if _, pending := b.entries[store.KeyOf(obj)]; !pending {
			b.merge(&store.Change[T]{Old: obj, New: obj, Type: store.Updated}, false, b.resync.came)
		}
		b.mu.Unlock()
		b.mu.Lock()
	}
	b.resynced = b.places
	for i := range b.held {
		b.put(&b.held[i])
	}
	b.resync, b.held = nil, nil
}

// Next implements inbox.
func (b *coalescing[T]) Next() (c store.Change[T], inInitialList, ok bool) {
	if b.waited = !b.mu.TryLock(); b.waited {
		b.mu.Lock()
	}
	defer b.mu.Unlock()
	if b.resync != nil {
		b.mergeResync()
	}
	b.settle()
	if c, inInitialList, ok = b.fromShared(); !ok {
		b.checkInitial()
		c, inInitialList, ok = b.fromEntries()
	}
	if ok {
		b.inFlight = 1
	}
	return c, inInitialList, ok
}

// Waited implements inbox.
func (b *coalescing[T]) Waited() bool { return b.waited }

// fromShared removes and returns the next change of shared. If an entry is pending for the object, shared is an
// initial list, and the entry is newer. fromShared requires the lock, which it releases while it reads a snapshot.
func (b *coalescing[T]) fromShared() (c store.Change[T], inInitialList, ok bool) {
	for len(b.shared) > 0 {
		d := &b.shared[0]
		if d.objects != nil {
			b.waited = true
			b.mu.Unlock()
			changes := d.read()
			b.mu.Lock()
			d.Changes, d.objects = changes, nil
		}
		for b.done < len(d.Changes) {
			c = d.Changes[b.done]
			b.done++
			if key := store.KeyOf(c.New); len(b.entries) > 0 && b.entries[key] != nil {
				e := b.entries[key]
				b.cancel(key)
				if !e.exists {
					continue
				}
				c.New = e.now
			}
			b.since = d.came
			return c, d.Initial, true
		}
		*d = Delivery[T]{}
		b.shared, b.done = b.shared[1:], 0
	}
	b.shared = nil
	return store.Change[T]{}, false, false
}

// fromEntries removes and returns the next change of the oldest entry. It requires the lock.
func (b *coalescing[T]) fromEntries() (c store.Change[T], inInitialList, ok bool) {
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
	return c, e.initial && c.Type == store.Added, true
}

// Settle implements inbox.
func (b *coalescing[T]) Settle() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.settle()
}

// settle is Settle; it requires the lock.
func (b *coalescing[T]) settle() {
	b.inFlight, b.since = 0, 0
	b.checkInitial()
}

// checkInitial calls onInitial if the initial list has been delivered. It requires the lock, and
// that no call is running.
func (b *coalescing[T]) checkInitial() {
	if b.listed < 0 || b.isInitial() {
		return
	}
	if p, e := b.first(); e == nil || p.seq > b.listed {
		b.onInitial()
	}
}

// Waiting counts an object twice if it is in an entry and an initial list.
func (b *coalescing[T]) Waiting() (n int, since int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	n, since = b.inFlight+len(b.entries), b.since
	if p, e := b.first(); e != nil {
		since = earlier(since, p.came)
	}
	for i := range b.shared {
		n, since = n+b.shared[i].len(), earlier(since, b.shared[i].came)
	}
	return n - b.done, since
}

// earlier returns the earlier of two times; 0 means none.
func earlier(a, b int64) int64 {
	if a == 0 || b != 0 && b < a {
		return b
	}
	return a
}
