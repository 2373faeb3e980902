// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package informer

import (
	"github.com/indexer-gen/indexer-gen/runtime/store"
	"k8s.io/apimachinery/pkg/types"
)

// replay is a list of objects that a coalescing inbox is to tell of, as additions of the
// initial list or, if it is a resync, as updates to themselves.
type replay[T any] struct {
	changes  []change[T] // all additions
	snapshot reader[T]
	objs     []T // of snapshot, once it is its turn
	opened   bool
	at       int
	came     int64
	initial  bool
	last     bool // the initial list ends with this

	// Of a resync: the last place before it, and the objects of the entries up to there,
	// of which the handler has been told since, or will never be.
	after int
	skip  map[types.NamespacedName]struct{}
}

// nextReplayed returns the next call of the replays. They come before entries that tell what
// happened after the replay was taken; a resync comes after those that waited already,
// so that resyncs of a slow handler do not keep all else from it. The lock must be held;
// it is given up while a snapshot is read.
func (b *coalescing[T]) nextReplayed() (c change[T], inInitialList, ok bool) {
	for len(b.replays) > 0 {
		r := b.replays[0]
		if !r.initial && b.waits(r.after) {
			return c, false, false
		}
		b.openReplay(r)
		for r.at < len(r.changes)+len(r.objs) {
			var obj T
			if r.changes != nil {
				obj = r.changes[r.at].new
			} else {
				obj = r.objs[r.at]
			}
			r.at++
			if b.overtaken(obj, r.initial) {
				continue
			}
			if _, skip := r.skip[store.KeyOf(obj)]; skip {
				continue
			}
			b.telling(r.came)
			if r.initial {
				return change[T]{new: obj, kind: added}, true, true
			}
			return change[T]{old: obj, new: obj, kind: updated}, false, true
		}
		b.replays[0] = nil
		b.replays = b.replays[1:]
		if !r.initial {
			b.resyncs--
		}
		b.listed = b.listed || r.last
	}
	return c, false, false
}

func (b *coalescing[T]) openReplay(r *replay[T]) {
	if r.opened {
		return
	}
	r.opened, b.kept = true, true
	b.mu.Unlock()
	objs := make([]T, 0, r.snapshot.Len())
	for obj := range r.snapshot.All() {
		objs = append(objs, obj)
	}
	b.mu.Lock()
	r.objs, r.snapshot = objs, reader[T]{}
}

// overtaken reports whether an entry waits for the object, which then tells more than
// a replay could. If the handler was to learn of the object by the replay, the entry
// must not suppose that it knows it. The lock must be held.
func (b *coalescing[T]) overtaken(obj T, initial bool) bool {
	key := store.KeyOf(obj)
	e, waiting := b.entries[key]
	if !waiting {
		return false
	}
	if initial {
		e.unknow()
		if !e.initial {
			e.initial = true
			b.initial++
		}
		if !e.exists {
			b.cancel(key, e)
		}
	}
	return true
}
