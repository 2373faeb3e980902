// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package informer

import (
	"slices"
	"sync"

	"github.com/indexer-gen/indexer-gen/runtime/store"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// coalescing is an inbox that keeps the outcome of what happens to each object. It
// holds at most one entry for each object that exists and each that was deleted since
// the handler was told of it.
type coalescing[T metav1.Object] struct {
	onInitial func() // called when the initial list has been delivered
	clock     *clock
	kept      bool // the last next had to wait; only for who calls it

	mu       sync.Mutex
	entries  map[types.NamespacedName]*outcome[T]
	order    []place      // by first enqueue; also places of entries that have gone
	places   int          // handed out so far
	front    front[T]     // waits in place of entries, while it is all that does
	replays  []*replay[T] // delivered before the entries that came later
	resyncs  int          // replays that are not initial
	listed   bool         // all of the initial list is delivered or in entries
	initial  int          // entries that belong to the initial list
	complete bool         // a batch has said that the initial list is complete
	inFlight int          // changes that next or batch returned are being told
	since    int64        // when the oldest of them came
}

// place is where an entry waits.
type place struct {
	key  types.NamespacedName
	seq  int
	came int64
}

// outcome is what happened to one object since the handler was last told of it.
type outcome[T any] struct {
	seq     int
	told    bool // the handler knows the object, as seen
	seen    T
	gone    bool // what the handler knows was deleted
	final   change[T]
	exists  bool // there is one now, maybe another of that name
	now     T
	initial bool // belongs to the initial list
}

// lose notes that what the handler knows is gone, and nobody has seen how.
func (e *outcome[T]) lose(how kind) {
	e.gone, e.final = true, change[T]{old: e.seen, new: e.seen, kind: how}
}

// unknow notes that the handler knows of no object that the entry is about.
func (e *outcome[T]) unknow() {
	var none T
	e.told, e.seen, e.gone, e.final = false, none, false, change[T]{}
}

func newCoalescing[T metav1.Object](c *clock, onInitial func()) *coalescing[T] {
	return &coalescing[T]{onInitial: onInitial, clock: c, entries: make(map[types.NamespacedName]*outcome[T])}
}

func (b *coalescing[T]) full() bool { return false }

func (b *coalescing[T]) put(changes []change[T], distinct, _, initial, last bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if initial && b.front.len() == 0 && len(b.entries) == 0 && onlyAdditions(changes) {
		// Nothing to merge with: the list is shared with the other handlers.
		b.replays = append(b.replays, &replay[T]{changes: changes, came: b.clock.ticked(), opened: true, initial: true, last: last})
		return
	}
	b.fold()
	if !initial && !last && distinct && len(b.entries) == 0 && len(b.replays) == 0 {
		b.front = front[T]{changes: changes, came: b.clock.ticked()}
		return
	}
	for i := range changes {
		b.merge(&changes[i], initial, b.clock.ticked())
	}
	b.listed = b.listed || last
}

func onlyAdditions[T any](changes []change[T]) bool {
	for i := range changes {
		if changes[i].kind != added {
			return false
		}
	}
	return true
}

func (b *coalescing[T]) replay(r reader[T], initial, last bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !initial {
		if b.resyncs > 0 {
			return
		}
		b.resyncs++
	}
	b.fold()
	b.replays = append(b.replays, &replay[T]{snapshot: r, came: b.clock.ticked(), initial: initial, last: last, after: b.places})
}

// merge makes c, which came at a time, part of the outcome for its object. The lock must
// be held.
func (b *coalescing[T]) merge(c *change[T], initial bool, came int64) {
	key := store.KeyOf(c.about())
	e, waiting := b.entries[key]
	if !waiting {
		b.places++
		e = &outcome[T]{seq: b.places, told: c.kind != added, seen: c.old}
		b.entries[key] = e
		b.order = append(b.order, place{key: key, seq: e.seq, came: came})
	}
	if initial && !e.initial {
		e.initial = true
		b.initial++
	}
	switch c.kind {
	case added, updated:
		if e.told && !e.gone && another(e.seen, c.new) { // by way of a state that had no UID
			e.lose(deletedUnseen)
		}
		e.exists, e.now = true, c.new
	default:
		var none T
		e.exists, e.now = false, none
		switch {
		case e.gone: // deleted, created, deleted: the handler knows only the first
		case e.told && another(e.seen, c.new):
			e.lose(max(c.kind, deletedUnseen))
		case e.told:
			e.gone, e.final = true, *c
			e.final.old = e.seen
		default:
			b.cancel(key, e)
		}
	}
}

// cancel removes an entry of which there is nothing to tell. The lock must be held.
func (b *coalescing[T]) cancel(key types.NamespacedName, e *outcome[T]) {
	delete(b.entries, key)
	if e.initial {
		b.initial--
	}
	b.skip(key, 0) // every resync: it may hold an object that the handler has not been told of
	if len(b.order) > 2*len(b.entries)+16 {
		kept := b.order[:0]
		for _, p := range b.order {
			if e, ok := b.entries[p.key]; ok && e.seq == p.seq {
				kept = append(kept, p)
			}
		}
		clear(b.order[len(kept):])
		b.order = kept
	}
}

func (b *coalescing[T]) next() (c change[T], inInitialList, ok bool) {
	if b.kept = !b.mu.TryLock(); b.kept {
		b.mu.Lock()
	}
	defer b.mu.Unlock()
	b.made()
	if c, inInitialList, ok = b.take(b.checkInitial); ok {
		b.inFlight = 1
	}
	return c, inInitialList, ok
}

func (b *coalescing[T]) waited() bool { return b.kept }

// take takes the next call to be made. replayed is called when the replays that come
// before it are over. The lock must be held.
func (b *coalescing[T]) take(replayed func()) (c change[T], inInitialList, ok bool) {
	if c, inInitialList, ok = b.nextReplayed(); ok {
		return c, inInitialList, true
	}
	replayed()
	if b.front.len() > 0 {
		b.telling(b.front.came)
		return b.front.next(), false, true
	}
	return b.pop()
}

// skip has the resyncs that came after place seq skip an object whose entry was there:
// their snapshots hold it as it was then. The lock must be held.
func (b *coalescing[T]) skip(key types.NamespacedName, seq int) {
	for _, r := range b.replays {
		if r.initial || seq > r.after {
			continue
		}
		if r.skip == nil {
			r.skip = make(map[types.NamespacedName]struct{})
		}
		r.skip[key] = struct{}{}
	}
}

// waits reports whether an entry waits that came no later than place seq. The lock must
// be held.
func (b *coalescing[T]) waits(seq int) bool {
	for len(b.order) > 0 {
		p := b.order[0]
		if e, waiting := b.entries[p.key]; waiting && e.seq == p.seq {
			return p.seq <= seq
		}
		b.order = b.order[1:]
	}
	return false
}

// pop takes the oldest entry or, of one that takes two calls, the first: the rest keeps its
// place, and what happens meanwhile becomes part of it. The lock must be held.
func (b *coalescing[T]) pop() (c change[T], inInitialList, ok bool) {
	for len(b.order) > 0 {
		p := b.order[0]
		e, waiting := b.entries[p.key]
		if waiting && e.seq == p.seq && e.gone && e.exists {
			b.telling(p.came)
			c = e.final
			e.unknow()
			return c, false, true
		}
		b.order = b.order[1:]
		if !waiting || e.seq != p.seq {
			continue
		}
		delete(b.entries, p.key)
		if e.initial {
			b.initial--
		}
		b.skip(p.key, e.seq)
		b.telling(p.came)
		switch {
		case e.gone:
			return e.final, false, true
		case e.told:
			return change[T]{old: e.seen, new: e.now, kind: updated}, false, true
		}
		return change[T]{new: e.now, kind: added}, e.initial, true
	}
	b.order = nil
	return c, false, false
}

func (b *coalescing[T]) settle() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.made()
}

// made is settle under the lock.
func (b *coalescing[T]) made() {
	b.inFlight, b.since = 0, 0
	b.checkInitial()
}

// checkInitial says so if the initial list has been delivered. No call may be under
// way, and the lock must be held.
func (b *coalescing[T]) checkInitial() {
	if b.listed && b.initial == 0 && !slices.ContainsFunc(b.replays, isInitial) {
		b.onInitial()
	}
}

func isInitial[T any](r *replay[T]) bool { return r.initial }
