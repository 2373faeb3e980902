// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package inbox

import (
	"github.com/indexer-gen/indexer-gen/runtime/delta"
	"github.com/indexer-gen/indexer-gen/runtime/store"
	"k8s.io/apimachinery/pkg/types"
)

// entry merges the changes of one object since the handler was last notified of it.
type entry[T any] struct {
	seq     int
	known   bool // the handler knows the object, in the state seen
	seen    T
	gone    bool // the object that the handler knows was deleted; final is that deletion
	final   Change[T]
	exists  bool // an object of that name exists, in the state now
	now     T
	initial bool // part of the initial list
}

// lose records that the object that the handler knows is gone, and its final state is unknown.
func (e *entry[T]) lose(why store.Cause) {
	e.gone, e.final = true, store.Lost(e.seen, why)
}

// forget records that the handler knows no object of that name.
func (e *entry[T]) forget() {
	var none T
	e.known, e.seen, e.gone, e.final = false, none, false, Change[T]{}
}

// change returns the outcome, which is one change.
func (e *entry[T]) change() (c Change[T], inInitialList bool) {
	switch {
	case e.gone:
		return e.final, false
	case e.known:
		return Change[T]{Old: e.seen, New: e.now, Type: delta.Updated}, false
	}
	return Change[T]{New: e.now, Type: delta.Added}, e.initial
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
	if initial {
		b.markInitial(e)
	}
	switch c.Type {
	case delta.Added, delta.Updated:
		if e.known && !e.gone && isRecreated(e.seen, c.New) { // a state in between had no UID
			e.lose(store.FinalStateUnknown)
		}
		e.exists, e.now = true, c.New
	default:
		var none T
		e.exists, e.now = false, none
		switch {
		case e.gone: // deleted, created, deleted: the handler knows only the first object
		case e.known && isRecreated(e.seen, c.New):
			e.lose(max(c.Cause, store.FinalStateUnknown))
		case e.known:
			e.gone, e.final = true, *c
			e.final.Old = e.seen
		default:
			b.cancel(key, e)
		}
	}
}

// markInitial makes e part of the initial list. It requires the lock.
func (b *Coalescing[T]) markInitial(e *entry[T]) {
	if !e.initial {
		e.initial = true
		b.initial++
	}
}

// drop removes an entry, but not its place. It requires the lock.
func (b *Coalescing[T]) drop(key types.NamespacedName, e *entry[T]) {
	delete(b.entries, key)
	if e.initial {
		b.initial--
	}
}

// cancel removes an entry without an outcome. It requires the lock.
func (b *Coalescing[T]) cancel(key types.NamespacedName, e *entry[T]) {
	b.drop(key, e)
	b.skip(key, 0) // a resync may include the object, of which the handler was not notified
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

// first returns the place of the oldest entry. It requires the lock.
func (b *Coalescing[T]) first() (p place, ok bool) {
	for len(b.order) > 0 {
		p := b.order[0]
		if e, found := b.entries[p.key]; found && e.seq == p.seq {
			return p, true
		}
		b.order = b.order[1:]
	}
	return p, false
}
