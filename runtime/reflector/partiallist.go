// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package reflector

import (
	"slices"

	"github.com/indexer-gen/indexer-gen/runtime/delta"
	"github.com/indexer-gen/indexer-gen/runtime/source"
	"k8s.io/apimachinery/pkg/types"
)

// partialList is the received part of a list.
type partialList[T any] struct {
	// deltasWithDeleted holds a Replaced, Stale or Kept for each object, and a Deleted for one that a WatchList
	// brought and deleted.
	deltasWithDeleted []source.Delta[T]
	previousListSize  int                  // the number of objects of the last list
	keyless           int                  // objects with an unknown key
	lastPageFirstKey  types.NamespacedName // the first key of the last page of a LIST

	// Of a WatchList, where an object may come again.
	watchListPositions          map[types.NamespacedName]int      // in deltas
	keysWithLaterStateUndecoded map[types.NamespacedName]struct{} // a later state than that in deltas could not be decoded
}

// add appends an object. The first one makes room for as many as the last list had.
func (l *partialList[T]) add(d source.Delta[T]) {
	if l.deltasWithDeleted == nil {
		l.deltasWithDeleted = make([]source.Delta[T], 0, l.previousListSize)
	}
	l.deltasWithDeleted = append(l.deltasWithDeleted, d)
}

// mergeWatchListDelta adds or replaces an object of a WatchList, and reports whether it is new.
func (l *partialList[T]) mergeWatchListDelta(d source.Delta[T]) bool {
	i, ok := l.watchListPositions[d.Key]
	if !ok {
		if d.Type == delta.Deleted {
			return false
		}
		if l.watchListPositions == nil {
			l.watchListPositions = make(map[types.NamespacedName]int)
			l.keysWithLaterStateUndecoded = make(map[types.NamespacedName]struct{})
		}
		l.watchListPositions[d.Key] = len(l.deltasWithDeleted)
		l.add(d)
		return true
	}
	delete(l.keysWithLaterStateUndecoded, d.Key)
	switch last := &l.deltasWithDeleted[i]; {
	case last.Type != delta.Replaced || !d.NoObject || d.Type == delta.Deleted:
		*last = d
	case d.Type == delta.Stale: // the last known state stays
		l.keysWithLaterStateUndecoded[d.Key] = struct{}{}
	}
	return false
}

// takeAll returns the deltas of all objects, and their number. It leaves l empty.
func (l *partialList[T]) takeAll() (all []source.Delta[T], objects int) {
	isDeleted := func(d source.Delta[T]) bool { return d.Type == delta.Deleted }
	all = slices.DeleteFunc(l.deltasWithDeleted, isDeleted)
	objects = len(all)
	for key := range l.keysWithLaterStateUndecoded {
		all = append(all, delta.WithKey[types.NamespacedName, T](delta.Stale, key))
	}
	*l = partialList[T]{}
	return all, objects
}
