// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package source

// WatchLister is implemented by sources that know whether they support a WatchList, a watch with
// SendInitialEvents. Other sources are assumed to support it.
type WatchLister interface {
	// SupportsWatchList returns false if a WatchList would never complete. The fake clients of
	// client-gen are an example: they send the objects, but not the bookmark, and do not end. If
	// it returns true, the server may still refuse a WatchList or not send the bookmark.
	SupportsWatchList() bool
}

// SupportsWatchList returns false if src is a [WatchLister] that does not support WatchLists.
func SupportsWatchList[T any](src ListerWatcher[T]) bool {
	w, ok := src.(WatchLister)
	return !ok || w.SupportsWatchList()
}

// IsFake reports whether c is a fake client of client-gen, which does not support WatchLists. Other fakes
// are not recognized.
func IsFake[L any](c Client[L]) bool {
	// client-go's fake clientsets have this method. The fake client of one resource does not, but embeds
	// the recorder of its clientset, and only recorders have ClearActions.
	if marked, ok := c.(interface{ IsWatchListSemanticsUnSupported() bool }); ok {
		return marked.IsWatchListSemanticsUnSupported()
	}
	_, records := c.(interface{ ClearActions() })
	return records
}
