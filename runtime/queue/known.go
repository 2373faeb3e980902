// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package queue

import (
	"iter"
	"slices"

	"github.com/indexer-gen/indexer-gen/runtime/delta"
)

// KnownObjects reads what the consumer holds, usually a store. A queue calls it without holding
// a lock.
type KnownObjects[K comparable, T any] interface {
	Get(key K) (T, bool)
	Keys() iter.Seq[K]
}

// ReadKnown returns a delta without a type for each object that known has.
func ReadKnown[K comparable, T any](known KnownObjects[K, T]) (ds []delta.Delta[K, T]) {
	if known == nil {
		return nil
	}
	for key := range known.Keys() {
		if obj, ok := known.Get(key); ok {
			ds = append(ds, delta.Delta[K, T]{Key: key, Object: obj})
		}
	}
	return ds
}

// complete adds to b the deltas that depend on KnownObjects, and merges repeated deletions. Everything
// before b has been processed, so KnownObjects is exactly the state that b follows. The caller
// is Pop, without the lock.
func (q *InOrder[K, T]) complete(b *delta.Batch[K, T]) {
	switch {
	case q.fills:
		b.Deltas = ReadKnown(q.cfg.KnownObjects)
		for i := range b.Deltas {
			b.Deltas[i].Type = delta.Sync
		}
		q.fills = false // a requeued batch keeps its deltas
	case b.Replace && q.cfg.KnownObjects != nil:
		listed := keysOf(b.Deltas)
		gone := slices.DeleteFunc(ReadKnown(q.cfg.KnownObjects), func(d delta.Delta[K, T]) bool {
			_, ok := listed[d.Key]
			return ok
		})
		for i := range gone {
			gone[i].Type, gone[i].FinalStateUnknown = delta.Deleted, true
		}
		b.Deltas = slices.Insert(b.Deltas, 0, gone...)
	default:
		b.Deltas = mergeBatchDeletes(b.Deltas)
	}
}

// vanished returns a Deleted for each pending object that is missing from listed. It requires the lock.
func (q *InOrder[K, T]) vanished(listed []delta.Delta[K, T]) []delta.Delta[K, T] {
	if q.deltas == 0 {
		return nil
	}
	seen := keysOf(listed)
	var gone []delta.Delta[K, T]
	for i := len(q.pending) - 1; i >= 0; i-- {
		ds := q.pending[i].Deltas
		for j := len(ds) - 1; j >= 0; j-- {
			d := ds[j]
			if _, ok := seen[d.Key]; ok || d.Type == delta.Stale || d.Type == delta.Kept {
				continue
			}
			seen[d.Key] = struct{}{}
			if d.Type != delta.Deleted {
				d.Type, d.FinalStateUnknown = delta.Deleted, true
				gone = append(gone, d)
			}
		}
	}
	return gone
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

// keysOf returns the keys of ds.
func keysOf[K comparable, T any](ds []delta.Delta[K, T]) map[K]struct{} {
	keys := make(map[K]struct{}, len(ds))
	for i := range ds {
		keys[ds[i].Key] = struct{}{}
	}
	return keys
}
