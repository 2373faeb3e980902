// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package queue

// perObject is the per-object lane: the classic delta FIFO.
type perObject[K comparable, T any] struct {
	hasKnown bool
	items    map[K][]Delta[K, T]
	order    ring[K] // the keys of items, in the order in which they became pending

	taken     *Batch[K, T]
	recorders int               // producers that look at Known
	finished  map[K]Delta[K, T] // last delta of what was processed since the first of them began

	began  bool
	unseen map[K]struct{} // objects of the first list that are not processed yet
}

func newPerObject[K comparable, T any](hasKnown bool) *perObject[K, T] {
	return &perObject[K, T]{hasKnown: hasKnown, items: make(map[K][]Delta[K, T])}
}

func (l *perObject[K, T]) len() int              { return l.order.len() }
func (l *perObject[K, T]) full() bool            { return false }
func (l *perObject[K, T]) initial() bool         { return len(l.unseen) == 0 }
func (l *perObject[K, T]) complete(*Batch[K, T]) {}

func (l *perObject[K, T]) record(on bool) {
	if on {
		l.recorders++
	} else if l.recorders--; l.recorders == 0 {
		l.finished = nil
	}
}

// recent returns the last delta of an object that is being processed, or was since
// a producer began to look at Known, which may or may not reflect it.
func (l *perObject[K, T]) recent(key K) (Delta[K, T], bool) {
	if l.taken != nil && l.taken.Deltas[0].Key == key {
		return l.taken.Deltas[len(l.taken.Deltas)-1], true
	}
	d, ok := l.finished[key]
	return d, ok
}

func (l *perObject[K, T]) push(d Delta[K, T], _ string) {
	l.began = true
	l.add(d)
}

// add is push for what is not written from without: a resync is no beginning.
func (l *perObject[K, T]) add(d Delta[K, T]) {
	ds, pending := l.items[d.Key]
	if pending && d.Type == Sync {
		return
	}
	l.items[d.Key] = appendMerged(ds, d)
	if !pending {
		l.order.push(d.Key)
	}
}

// pushDelete is push for a Deleted; unknown says that Known does not have the object. Without
// Known nothing says that the consumer has not had it: it is told.
func (l *perObject[K, T]) pushDelete(d Delta[K, T], unknown bool) {
	l.began = true
	if _, pending := l.items[d.Key]; !pending {
		if last, ok := l.recent(d.Key); ok && l.hasKnown {
			unknown = last.Type == Deleted
		}
		if unknown {
			return
		}
	}
	l.push(d, "")
}

func (l *perObject[K, T]) replace(r replacement[K, T]) {
	first := !l.began
	l.began = true
	listed := r.keys()
	for _, d := range l.vanished(r, listed) {
		l.push(d, "")
		if first {
			listed[d.Key] = struct{}{}
		}
	}
	for _, d := range r.deltas {
		l.push(d, "")
	}
	if first && len(listed) > 0 {
		l.unseen = listed
	}
}

// vanished returns a Deleted for each object that is known, pending or being
// processed, and not listed.
func (l *perObject[K, T]) vanished(r replacement[K, T], listed map[K]struct{}) []Delta[K, T] {
	var gone []Delta[K, T]
	seen := make(map[K]struct{})
	consider := func(last Delta[K, T]) {
		if _, ok := listed[last.Key]; ok {
			return
		}
		if _, ok := seen[last.Key]; ok {
			return
		}
		seen[last.Key] = struct{}{}
		if last.Type != Deleted {
			gone = append(gone, Delta[K, T]{
				Type: Deleted, FinalStateUnknown: true, NoObject: last.NoObject,
				Key: last.Key, Object: last.Object,
			})
		}
	}
	// The newest word about an object counts: pending, then recent, then known.
	for key := range l.order.all() {
		ds := l.items[key]
		last := ds[len(ds)-1]
		for i := len(ds) - 1; i >= 0 && last.Type != Deleted && last.NoObject; i-- {
			last = ds[i] // a Stale has no object: what it had before
		}
		consider(last)
	}
	if l.hasKnown {
		if l.taken != nil {
			consider(l.taken.Deltas[len(l.taken.Deltas)-1])
		}
		for _, d := range l.finished {
			consider(d)
		}
	}
	for _, d := range r.known {
		consider(d)
	}
	return gone
}

func (l *perObject[K, T]) resync(known []Delta[K, T]) {
	for _, d := range known {
		if last, ok := l.recent(d.Key); ok && last.Type == Deleted {
			continue
		}
		d.Type = Sync
		l.add(d)
	}
}

func (l *perObject[K, T]) take() (*Batch[K, T], bool) {
	if l.order.len() == 0 {
		return nil, false
	}
	key := l.order.pop()
	l.taken = &Batch[K, T]{Deltas: l.items[key]}
	delete(l.items, key)
	return l.taken, true
}

func (l *perObject[K, T]) done(b *Batch[K, T], requeue bool) {
	l.taken = nil
	key := b.Deltas[0].Key
	if requeue {
		newer, pending := l.items[key]
		ds := b.Deltas
		for _, d := range newer {
			ds = appendMerged(ds, d)
		}
		l.items[key] = ds
		if !pending {
			l.order.push(key)
		}
		return
	}
	if l.recorders > 0 {
		if l.finished == nil {
			l.finished = make(map[K]Delta[K, T])
		}
		l.finished[key] = b.Deltas[len(b.Deltas)-1]
	}
	if l.unseen != nil {
		delete(l.unseen, key)
		if len(l.unseen) == 0 {
			l.unseen = nil
		}
	}
}
