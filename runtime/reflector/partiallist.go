// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package reflector

import (
	"slices"

	"github.com/indexer-gen/indexer-gen/runtime/queue"
	"k8s.io/apimachinery/pkg/types"
)

// partialList is the received part of a list.
type partialList[T any] struct {
	// chunks holds a Replaced, Stale or Kept for each object, and a Deleted for one that a WatchList
	// brought and deleted. It grows without leaving copies to the garbage collector.
	chunks  [][]delta[T]
	len     int
	keyless int                  // objects with an unknown key
	first   types.NamespacedName // the first key of the last page of a LIST

	// Of a WatchList, where an object may come again.
	byKey map[types.NamespacedName]*delta[T]
	stale map[types.NamespacedName]struct{} // a later state than that in chunks could not be decoded
}

const chunkSize = 64

// newList returns an empty list with room for as many objects as the last one had, and some more.
func newList[T any](last int) *partialList[T] {
	return &partialList[T]{chunks: [][]delta[T]{make([]delta[T], 0, last+chunkSize)}}
}

// add appends an object that is not in l.
func (l *partialList[T]) add(d delta[T]) *delta[T] {
	chunk := &l.chunks[len(l.chunks)-1]
	if len(*chunk) == cap(*chunk) {
		l.chunks = append(l.chunks, make([]delta[T], 0, chunkSize))
		chunk = &l.chunks[len(l.chunks)-1]
	}
	*chunk = append(*chunk, d)
	l.len++
	return &(*chunk)[len(*chunk)-1]
}

// set adds or replaces an object of a WatchList, and reports whether it is new.
func (l *partialList[T]) set(d delta[T]) bool {
	last, ok := l.byKey[d.Key]
	if !ok {
		if d.Type == queue.Deleted {
			return false
		}
		if l.byKey == nil {
			l.byKey = make(map[types.NamespacedName]*delta[T])
			l.stale = make(map[types.NamespacedName]struct{})
		}
		l.byKey[d.Key] = l.add(d)
		return true
	}
	delete(l.stale, d.Key)
	switch {
	case last.Type != queue.Replaced || !d.NoObject || d.Type == queue.Deleted:
		*last = d
	case d.Type == queue.Stale: // the last known state stays
		l.stale[d.Key] = struct{}{}
	}
	return false
}

// complete returns the deltas of all objects, and their number. It leaves l empty.
func (l *partialList[T]) complete() (all []delta[T], objects int) {
	if all = l.chunks[0]; len(l.chunks) > 1 {
		all = slices.Concat(l.chunks...)
	}
	all = slices.DeleteFunc(all, func(d delta[T]) bool { return d.Type == queue.Deleted })
	objects = len(all)
	for key := range l.stale {
		all = append(all, delta[T]{Type: queue.Stale, NoObject: true, Key: key})
	}
	*l = partialList[T]{}
	return all, objects
}
