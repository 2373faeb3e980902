// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package informer

import (
	"github.com/indexer-gen/indexer-gen/runtime/store"
)

// recite returns the next call of the recitals. They come before entries that tell what
// happened after the recital was taken; a resync comes after those that waited already,
// so that resyncs of a slow handler do not keep all else from it. The lock must be held;
// it is given up while a snapshot is read.
func (b *coalescing[T]) recite() (c change[T], inInitialList, ok bool) {
	for len(b.recitals) > 0 {
		r := b.recitals[0]
		if !r.initial && b.waits(r.after) {
			return c, false, false
		}
		b.openRecital(r)
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
		b.recitals[0] = nil
		b.recitals = b.recitals[1:]
		if !r.initial {
			b.resyncs--
		}
		b.listed = b.listed || r.last
	}
	return c, false, false
}

func (b *coalescing[T]) openRecital(r *recital[T]) {
	if r.opened {
		return
	}
	r.opened = true
	b.mu.Unlock()
	objs := make([]T, 0, r.replay.Len())
	for obj := range r.replay.All() {
		objs = append(objs, obj)
	}
	b.mu.Lock()
	r.objs, r.replay = objs, reader[T]{}
}

// overtaken reports whether an entry waits for the object, which then tells more than
// a recital could. If the handler was to learn of the object by the recital, the entry
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
