// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package queue

import (
	"slices"

	"github.com/indexer-gen/indexer-gen/runtime/delta"
)

// histories holds the pending deltas of a DeltaFIFO, by object. Its methods require the
// queue's lock.
type histories[K comparable, T any] struct {
	hasKnown bool
	items    map[K][]delta.Delta[K, T]
	order    []K // the keys of items, in the order in which they became pending

	processing *delta.Batch[K, T]
	recorders  int                     // producers that read KnownObjects
	finished   map[K]delta.Delta[K, T] // last processed delta of each object, while there are recorders

	unseen map[K]struct{} // objects of the initial list that are not processed yet
}

func (l *histories[K, T]) record(on bool) {
	if on {
		l.recorders++
	} else if l.recorders--; l.recorders == 0 {
		l.finished = nil
	}
}

// recent returns the last delta of an object that is being processed, or that was processed while a
// producer was reading KnownObjects. What the producer read may be older than that delta.
func (l *histories[K, T]) recent(key K) (delta.Delta[K, T], bool) {
	if l.processing != nil && l.processing.Deltas[0].Key == key {
		if d, ok := lastState(l.processing.Deltas); ok {
			return d, true
		}
	}
	d, ok := l.finished[key]
	return d, ok
}

// lastState returns the last of ds that says whether the object exists: a Stale and a Kept do not.
func lastState[K comparable, T any](ds []delta.Delta[K, T]) (last delta.Delta[K, T], ok bool) {
	for _, d := range slices.Backward(ds) {
		if d.Type != delta.Stale && d.Type != delta.Kept {
			return d, true
		}
	}
	return last, false
}

func (l *histories[K, T]) push(d delta.Delta[K, T]) {
	ds, pending := l.items[d.Key]
	if pending && d.Type == delta.Sync {
		return
	}
	l.items[d.Key] = appendMerged(ds, d)
	if !pending {
		l.order = append(l.order, d.Key)
	}
}

// pushDelete queues a Deleted unless the object is unknown. known is set if KnownObjects has the
// object, or is nil.
func (l *histories[K, T]) pushDelete(d delta.Delta[K, T], known bool) {
	if _, pending := l.items[d.Key]; !pending {
		if last, ok := l.recent(d.Key); ok && l.hasKnown {
			known = last.Type != delta.Deleted
		}
		if !known {
			return
		}
	}
	l.push(d)
}

// replace queues a list. known holds the objects in KnownObjects. first says that the list is the
// first write.
func (l *histories[K, T]) replace(deltas, known []delta.Delta[K, T], first bool) {
	listed := make(map[K]struct{}, len(deltas))
	for i := range deltas {
		listed[deltas[i].Key] = struct{}{}
	}
	for _, d := range l.vanished(known, listed) {
		l.push(d)
		if first {
			listed[d.Key] = struct{}{}
		}
	}
	for _, d := range deltas {
		l.push(d)
	}
	if first {
		l.unseen = listed
	}
}

// vanished returns a Deleted for each object that is known, pending or being processed,
// and missing from listed.
func (l *histories[K, T]) vanished(known []delta.Delta[K, T], listed map[K]struct{}) []delta.Delta[K, T] {
	var gone []delta.Delta[K, T]
	seen := make(map[K]struct{})
	consider := func(ds ...delta.Delta[K, T]) {
		last, ok := lastState(ds)
		if _, is := listed[last.Key]; is || !ok {
			return
		}
		if _, again := seen[last.Key]; again {
			return
		}
		seen[last.Key] = struct{}{}
		if last.Type != delta.Deleted {
			last.Type, last.FinalStateUnknown = delta.Deleted, true
			gone = append(gone, last)
		}
	}
	// The newest state of an object counts: pending, then recent, then known.
	for _, key := range l.order {
		consider(l.items[key]...)
	}
	if l.hasKnown {
		if l.processing != nil {
			consider(l.processing.Deltas...)
		}
		for _, d := range l.finished {
			consider(d)
		}
	}
	for _, d := range known {
		consider(d)
	}
	for _, key := range l.order { // without a state
		consider(delta.Delta[K, T]{Key: key, NoObject: true})
	}
	return gone
}

// resync queues a Sync for each known object, with its newest state.
func (l *histories[K, T]) resync(known []delta.Delta[K, T]) {
	for _, d := range known {
		if last, ok := l.recent(d.Key); ok {
			d = last
		}
		if d.Type != delta.Deleted {
			d.Type = delta.Sync
			l.push(d)
		}
	}
}

func (l *histories[K, T]) take() (*delta.Batch[K, T], bool) {
	if len(l.order) == 0 {
		return nil, false
	}
	key := l.order[0]
	if l.order = l.order[1:]; len(l.order) == 0 {
		l.order = nil // release the array
	}
	l.processing = &delta.Batch[K, T]{Deltas: l.items[key]}
	delete(l.items, key)
	return l.processing, true
}

func (l *histories[K, T]) done(b *delta.Batch[K, T], requeue bool) {
	l.processing = nil
	key := b.Deltas[0].Key
	if requeue {
		newer, pending := l.items[key]
		ds := b.Deltas
		for _, d := range newer {
			ds = appendMerged(ds, d)
		}
		l.items[key] = ds
		if !pending {
			l.order = append(l.order, key)
		}
		return
	}
	if l.recorders > 0 {
		if l.finished == nil {
			l.finished = make(map[K]delta.Delta[K, T])
		}
		if last, ok := lastState(b.Deltas); ok {
			l.finished[key] = last
		}
	}
	delete(l.unseen, key)
}

// appendMerged appends d to the deltas of its object, and merges consecutive deletes.
func appendMerged[K comparable, T any](ds []delta.Delta[K, T], d delta.Delta[K, T]) []delta.Delta[K, T] {
	if n := len(ds); n > 0 && d.Type == delta.Deleted && ds[n-1].Type == delta.Deleted {
		ds[n-1] = mergeDeletes(ds[n-1], d)
		return ds
	}
	return append(ds, d)
}

// mergeDeletes merges two consecutive Deleted deltas of one object. It returns the one with the
// final state, or else the newer one.
func mergeDeletes[K comparable, T any](older, newer delta.Delta[K, T]) delta.Delta[K, T] {
	switch {
	case newer.NoObject && !older.NoObject:
		return older
	case newer.FinalStateUnknown && !older.FinalStateUnknown && !older.NoObject:
		return older
	}
	return newer
}
