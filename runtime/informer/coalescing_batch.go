// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package informer

// batch gives all that waits, which is the outcome of whole batches of the store: who has
// made use of it has seen everything up to one of them.
func (b *coalescing[T]) batch() (out Batch[T], ok bool) {
	b.settle()
	b.mu.Lock()
	defer b.mu.Unlock()
	if changes := b.onlyReplay(); changes != nil {
		out.changes, out.initial = changes, true
		b.telling(b.replays[0].came)
		b.listed = b.listed || b.replays[0].last
		b.replays = nil
	} else {
		for {
			c, initial, more := b.take(func() {})
			if !more {
				break
			}
			c.initial = initial
			out.changes = append(out.changes, c)
		}
	}
	out.last = b.listed && !b.complete
	b.complete = b.listed
	b.inFlight = len(out.changes)
	return out, b.inFlight > 0 || out.last
}

// onlyReplay returns what a list has brought if it is shared with other handlers and
// nothing else waits, or nil. The lock must be held.
func (b *coalescing[T]) onlyReplay() []change[T] {
	if len(b.replays) != 1 || len(b.entries) > 0 {
		return nil
	}
	if r := b.replays[0]; r.at == 0 && r.initial {
		return r.changes
	}
	return nil
}

// telling notes that what came at a time is being told. The lock must be held.
func (b *coalescing[T]) telling(came int64) {
	if b.since == 0 {
		b.since = came
	}
}

// waiting counts an object twice that an entry and a replay tell of.
func (b *coalescing[T]) waiting() (n int, since int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	n, since = b.inFlight+len(b.entries)+b.front.len(), b.since
	if b.front.len() > 0 {
		since = earlier(since, b.front.came)
	}
	b.waits(0) // drops places of entries that have gone
	if len(b.order) > 0 {
		since = earlier(since, b.order[0].came)
	}
	for _, r := range b.replays {
		since = earlier(since, r.came)
		if r.opened {
			n += len(r.changes) + len(r.objs) - r.at
		} else {
			n += r.snapshot.Len()
		}
	}
	return n, since
}

// earlier returns the earlier of two clock readings, of which 0 is none.
func earlier(a, b int64) int64 {
	if a == 0 || b != 0 && b < a {
		return b
	}
	return a
}
