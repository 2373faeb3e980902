// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package source

// WatchLister is a ListerWatcher that knows whether a watch with
// SendInitialEvents (a WatchList) is worth trying on it. A source that does not
// implement it is taken to support one.
type WatchLister interface {
	// SupportsWatchList is false if it is known beforehand that a WatchList
	// would never complete, as with the fake clients that client-gen writes:
	// they send the objects, never the closing bookmark, and do not end. True is
	// no promise: the server may still refuse, or never send the bookmark.
	SupportsWatchList() bool
}

// SupportsWatchList tells whether a WatchList is worth trying on src: unless
// src is a [WatchLister] that says no, it is.
func SupportsWatchList[T any](src ListerWatcher[T]) bool {
	w, ok := src.(WatchLister)
	return !ok || w.SupportsWatchList()
}

// WithoutWatchList returns src as a source that says that it cannot do a
// WatchList, so that it is listed, then watched.
func WithoutWatchList[T any](src ListerWatcher[T]) ListerWatcher[T] {
	return withoutWatchList[T]{src}
}

type withoutWatchList[T any] struct{ ListerWatcher[T] }

func (withoutWatchList[T]) SupportsWatchList() bool { return false }

// Reusing implements Reuser.
func (w withoutWatchList[T]) Reusing(held Held[T]) ListerWatcher[T] {
	return withoutWatchList[T]{Reusing(w.ListerWatcher, held)}
}

// isFake tells by its methods whether c is a fake without WatchList semantics.
// client-go marks its fake clientsets with the first of them. The fake client
// of one resource lacks that mark, but shares the recorder of its clientset,
// and only a recorder can have its actions cleared.
func isFake[L any](c Client[L]) bool {
	if marked, ok := c.(interface{ IsWatchListSemanticsUnSupported() bool }); ok {
		return marked.IsWatchListSemanticsUnSupported()
	}
	_, records := c.(interface{ ClearActions() })
	return records
}
