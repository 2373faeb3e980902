// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package queue

import (
	"slices"

	"github.com/indexer-gen/indexer-gen/runtime/delta"
)

// segment is one pending batch of an InOrder.
type segment[K comparable, T any] struct {
	delta.Batch[K, T]
	resync  bool // to be filled with the known objects when taken
	initial bool // the initial list
}

// weight returns the room that s takes. A list takes as much as a full batch.
func (s *segment[K, T]) weight(batchSize int) int {
	switch {
	case s.Replace:
		return batchSize
	case s.resync:
		return 0
	}
	return len(s.Deltas)
}

// segments holds the pending batches of an InOrder. Its methods require the queue's lock.
type segments[K comparable, T any] struct {
	batchSize int
	hasKnown  bool

	list   []*segment[K, T]
	load   int // sum of the weights
	deltas int
	taken  *segment[K, T]
	spare  *segment[K, T] // a processed one, reused by the next push

	initialOpen  bool // the initial list is not processed yet
	resyncQueued bool
}

func (l *segments[K, T]) full() bool { return l.load >= 2*l.batchSize }

// tail returns the last segment, or nil if deltas cannot be added to it.
func (l *segments[K, T]) tail() *segment[K, T] {
	if n := len(l.list); n > 0 {
		if s := l.list[n-1]; !s.Replace && !s.resync {
			return s
		}
	}
	return nil
}

func (l *segments[K, T]) push(d delta.Delta[K, T], resourceVersion string) {
	s := l.tail()
	if s == nil || len(s.Deltas) >= l.batchSize {
		if s, l.spare = l.spare, nil; s == nil {
			s = &segment[K, T]{}
		}
		l.list = append(l.list, s)
	}
	s.Deltas = append(s.Deltas, d)
	l.load++
	l.deltas++
	if resourceVersion != "" {
		s.ResourceVersion = resourceVersion
	}
}

func (l *segments[K, T]) bookmark(resourceVersion string) {
	if n := len(l.list); n > 0 {
		l.list[n-1].ResourceVersion = resourceVersion
		return
	}
	l.list = append(l.list, &segment[K, T]{Batch: delta.Batch[K, T]{ResourceVersion: resourceVersion}})
}

// replace queues a list. first says that the list is the first write.
func (l *segments[K, T]) replace(list delta.Batch[K, T], first bool) {
	s := &segment[K, T]{Batch: list, initial: first}
	l.initialOpen = l.initialOpen || first
	if !l.hasKnown {
		s.Deltas = slices.Insert(s.Deltas, 0, l.vanished(s.Deltas)...)
	}
	l.list = append(l.list, s)
	l.load += s.weight(l.batchSize)
	l.deltas += len(s.Deltas)
}

// vanished returns a Deleted for each pending object that is missing from listed.
func (l *segments[K, T]) vanished(listed []delta.Delta[K, T]) []delta.Delta[K, T] {
	if l.deltas == 0 {
		return nil
	}
	seen := keysOf(listed)
	var gone []delta.Delta[K, T]
	for i := len(l.list) - 1; i >= 0; i-- {
		ds := l.list[i].Deltas
		for j := len(ds) - 1; j >= 0; j-- {
			d := ds[j]
			if _, ok := seen[d.Key]; ok || d.Type == delta.Stale || d.Type == delta.Kept {
				continue
			}
			seen[d.Key] = struct{}{}
			if d.Type != delta.Deleted {
				gone = append(gone, delta.Delta[K, T]{Type: delta.Deleted, FinalStateUnknown: true, Key: d.Key, Object: d.Object})
			}
		}
	}
	return gone
}

func (l *segments[K, T]) resync() {
	if l.resyncQueued {
		return
	}
	l.resyncQueued = true
	l.list = append(l.list, &segment[K, T]{resync: true})
}

func (l *segments[K, T]) take() *delta.Batch[K, T] {
	if len(l.list) == 0 {
		return nil
	}
	s := l.list[0]
	l.list = slices.Delete(l.list, 0, 1)
	l.load -= s.weight(l.batchSize)
	l.deltas -= len(s.Deltas)
	if s.resync {
		l.resyncQueued = false
	}
	l.taken = s
	return &s.Batch
}

// mergeBatchDeletes merges, in place, consecutive Deleted deltas of the same object.
func mergeBatchDeletes[K comparable, T any](ds []delta.Delta[K, T]) []delta.Delta[K, T] {
	deletes := 0
	for i := range ds {
		if ds[i].Type == delta.Deleted {
			deletes++
		}
	}
	if deletes < 2 {
		return ds
	}
	deleted := make(map[K]int, deletes) // position of the last delta.Deleted in out
	out := ds[:0]
	for _, d := range ds {
		at, open := deleted[d.Key]
		switch {
		case d.Type != delta.Deleted:
			if open {
				delete(deleted, d.Key)
			}
		case open:
			out[at] = delta.MergeDeletes(out[at], d)
			continue
		default:
			deleted[d.Key] = len(out)
		}
		out = append(out, d)
	}
	clear(ds[len(out):])
	return out
}

func (l *segments[K, T]) done(requeue bool) {
	s := l.taken
	l.taken = nil
	if requeue {
		l.list = slices.Insert(l.list, 0, s)
		l.load += s.weight(l.batchSize)
		l.deltas += len(s.Deltas)
		return
	}
	if s.initial {
		l.initialOpen = false
	}
	if !s.Replace && len(s.Deltas) <= l.batchSize { // a list or a resync may be much larger
		clear(s.Deltas)
		*s = segment[K, T]{Batch: delta.Batch[K, T]{Deltas: s.Deltas[:0]}}
		l.spare = s
	}
}

// keysOf returns the keys of ds.
func keysOf[K comparable, T any](ds []delta.Delta[K, T]) map[K]struct{} {
	keys := make(map[K]struct{}, len(ds))
	for i := range ds {
		keys[ds[i].Key] = struct{}{}
	}
	return keys
}
