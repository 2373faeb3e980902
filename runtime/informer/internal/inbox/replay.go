// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package inbox

import (
	"github.com/indexer-gen/indexer-gen/runtime/store"
	"k8s.io/apimachinery/pkg/types"
)

// nextReplayed returns the next change of the replays. A replay comes before the entries that
// came later. A resync comes after the entries that came before it, so that the resyncs of a slow
// handler do not delay its other changes. nextReplayed requires the lock, which it releases while
// it reads a snapshot.
func (b *Coalescing[T]) nextReplayed() (c Change[T], inInitialList, ok bool) {
	for len(b.replays) > 0 {
		u := b.replays[0]
		if p, ok := b.first(); u.resync && ok && p.seq <= u.after {
			return c, false, false
		}
		if u.unread {
			b.waited = true
			b.mu.Unlock()
			changes := u.read()
			b.mu.Lock()
			u.expand(changes)
		}
		for u.at < len(u.changes) {
			c := u.changes[u.at]
			u.at++
			if (len(b.entries) > 0 || u.skip != nil) && b.passedOver(u, store.KeyOf(c.New)) {
				continue
			}
			b.begin(u.came)
			return c, u.initial, true
		}
		b.replays[0] = nil
		b.replays = b.replays[1:]
		if u.resync {
			b.resyncs--
		}
		b.listed = b.listed || u.last
	}
	return c, false, false
}

// passedOver reports whether u leaves out the object: a newer state is pending, or has been delivered. It
// requires the lock.
func (b *Coalescing[T]) passedOver(u *unit[T], key types.NamespacedName) bool {
	if b.overtaken(key, u.initial) {
		return true
	}
	_, skip := u.skip[key]
	return skip
}

// overtaken reports whether an entry is pending for the object: it is newer than the replay. If the
// replay is part of the initial list, the handler has not seen the object yet, so the entry becomes an
// addition. It requires the lock.
func (b *Coalescing[T]) overtaken(key types.NamespacedName, initial bool) bool {
	e, found := b.entries[key]
	if found && initial {
		e.forget()
		b.markInitial(e)
		if !e.exists {
			b.cancel(key, e)
		}
	}
	return found
}

// skip leaves an object out of each resync that was queued after its entry, number seq. The handler has
// now been notified of a newer state than those snapshots hold. It requires the lock.
func (b *Coalescing[T]) skip(key types.NamespacedName, seq int) {
	for _, u := range b.replays {
		if !u.resync || seq > u.after {
			continue
		}
		if u.skip == nil {
			u.skip = make(map[types.NamespacedName]struct{})
		}
		u.skip[key] = struct{}{}
	}
}
