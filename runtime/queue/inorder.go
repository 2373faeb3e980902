// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package queue

// A segment is a part of an in-order queue that is taken as one batch.
type segment[K comparable, T any] struct {
	Batch[K, T]
	resync  bool // to be filled with everything known when taken
	initial bool // the first list
}

// weight is how much of the bound s uses up: a list as much as a full batch.
func (s *segment[K, T]) weight(batchSize int) int {
	switch {
	case s.Replace:
		return batchSize
	case s.resync:
		return 0
	}
	return len(s.Deltas)
}

// inOrder is the in-order lane: a list of segments.
type inOrder[K comparable, T any] struct {
	batchSize int
	known     Known[K, T]

	segments []*segment[K, T]
	load     int // sum of the weights
	deltas   int
	taken    *segment[K, T]
	spare    []Delta[K, T] // of a finished segment, for the next

	began        bool // something was written
	initialOpen  bool // the first list is not processed yet
	resyncQueued bool
}

func newInOrder[K comparable, T any](batchSize int, known Known[K, T]) *inOrder[K, T] {
	return &inOrder[K, T]{batchSize: batchSize, known: known}
}

func (l *inOrder[K, T]) len() int      { return l.deltas }
func (l *inOrder[K, T]) full() bool    { return l.load >= 2*l.batchSize }
func (l *inOrder[K, T]) initial() bool { return !l.initialOpen }
func (l *inOrder[K, T]) record(bool)   {}

// tail returns the last segment, if it is one that changes may be added to.
func (l *inOrder[K, T]) tail() *segment[K, T] {
	if n := len(l.segments); n > 0 {
		if s := l.segments[n-1]; !s.Replace && !s.resync {
			return s
		}
	}
	return nil
}

func (l *inOrder[K, T]) push(d Delta[K, T], resourceVersion string) {
	l.began = true
	s := l.tail()
	if s == nil || len(s.Deltas) >= l.batchSize {
		s = &segment[K, T]{}
		s.Deltas, l.spare = l.spare, nil
		l.segments = append(l.segments, s)
	}
	s.Deltas = append(s.Deltas, d)
	l.load++
	l.deltas++
	if resourceVersion != "" {
		s.ResourceVersion = resourceVersion
	}
}

func (l *inOrder[K, T]) bookmark(resourceVersion string) {
	if n := len(l.segments); n > 0 {
		l.segments[n-1].ResourceVersion = resourceVersion
		return
	}
	l.segments = append(l.segments, &segment[K, T]{Batch: Batch[K, T]{ResourceVersion: resourceVersion}})
}

func (l *inOrder[K, T]) replace(r replacement[K, T]) {
	s := &segment[K, T]{
		Batch:   Batch[K, T]{Replace: true, Rewound: r.rewound, ResourceVersion: r.resourceVersion, Deltas: r.deltas},
		initial: !l.began,
	}
	if s.initial {
		l.initialOpen = true
	}
	l.began = true
	if l.known == nil {
		s.Deltas = append(l.vanished(r), s.Deltas...)
	}
	l.segments = append(l.segments, s)
	l.load += s.weight(l.batchSize)
	l.deltas += len(s.Deltas)
}

// vanished returns a Deleted for each object that is pending and not in r: all that
// can be said without knowing what the consumer knows.
func (l *inOrder[K, T]) vanished(r replacement[K, T]) []Delta[K, T] {
	if l.deltas == 0 {
		return nil
	}
	seen := r.keys()
	var gone []Delta[K, T]
	for i := len(l.segments) - 1; i >= 0; i-- {
		ds := l.segments[i].Deltas
		for j := len(ds) - 1; j >= 0; j-- {
			d := ds[j]
			if _, ok := seen[d.Key]; ok || d.NoObject && d.Type != Deleted {
				continue
			}
			seen[d.Key] = struct{}{}
			if d.Type != Deleted {
				gone = append(gone, Delta[K, T]{Type: Deleted, FinalStateUnknown: true, Key: d.Key, Object: d.Object})
			}
		}
	}
	return gone
}

func (l *inOrder[K, T]) resync([]Delta[K, T]) {
	if l.resyncQueued {
		return
	}
	l.resyncQueued = true
	l.segments = append(l.segments, &segment[K, T]{resync: true})
}

func (l *inOrder[K, T]) take() (*Batch[K, T], bool) {
	if len(l.segments) == 0 {
		return nil, false
	}
	s := l.segments[0]
	l.segments[0] = nil
	l.segments = l.segments[1:]
	if len(l.segments) == 0 {
		l.segments = nil
	}
	l.load -= s.weight(l.batchSize)
	l.deltas -= len(s.Deltas)
	if s.resync {
		l.resyncQueued = false
	}
	l.taken = s
	return &s.Batch, true
}

// complete implements lane. Everything before b has been processed, so what Known
// holds now is exactly what was known when b was queued.
func (l *inOrder[K, T]) complete(b *Batch[K, T]) {
	s := l.taken // only the holder of the turn to pop writes or reads it
	switch {
	case s.resync:
		b.Deltas = readKnown(l.known, func(K) bool { return true })
		for i := range b.Deltas {
			b.Deltas[i].Type = Sync
		}
		s.resync = false // if requeued, it is a batch like any other
	case b.Replace && l.known != nil:
		r := replacement[K, T]{deltas: b.Deltas}
		listed := r.keys()
		gone := readKnown(l.known, func(key K) bool {
			_, ok := listed[key]
			return !ok
		})
		if len(gone) == 0 {
			return
		}
		for i := range gone {
			gone[i].Type, gone[i].FinalStateUnknown = Deleted, true
		}
		b.Deltas = append(gone, b.Deltas...)
	default:
		b.Deltas = mergeBatchDeletes(b.Deltas)
	}
}

// mergeBatchDeletes merges each Deleted with an earlier one of the same object if
// nothing happened to that object in between. It works in place.
func mergeBatchDeletes[K comparable, T any](ds []Delta[K, T]) []Delta[K, T] {
	deletes := 0
	for i := range ds {
		if ds[i].Type == Deleted {
			deletes++
		}
	}
	if deletes < 2 {
		return ds
	}
	deleted := make(map[K]int, deletes) // position of the open Deleted
	out := ds[:0]
	for _, d := range ds {
		at, open := deleted[d.Key]
		switch {
		case d.Type != Deleted:
			if open {
				delete(deleted, d.Key)
			}
		case open:
			out[at] = mergeDeletes(out[at], d)
			continue
		default:
			deleted[d.Key] = len(out)
		}
		out = append(out, d)
	}
	clear(ds[len(out):])
	return out
}

func (l *inOrder[K, T]) done(b *Batch[K, T], requeue bool) {
	s := l.taken
	l.taken = nil
	if requeue {
		l.segments = append([]*segment[K, T]{s}, l.segments...)
		l.load += s.weight(l.batchSize)
		l.deltas += len(s.Deltas)
		return
	}
	if s.initial {
		l.initialOpen = false
	}
	if !b.Replace && cap(b.Deltas) <= l.batchSize*2 {
		clear(b.Deltas)
		l.spare = b.Deltas[:0]
	}
}
