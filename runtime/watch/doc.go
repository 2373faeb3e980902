// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package watch yields the events of a source without keeping a cache. The watch survives
// broken connections.
//
//	for event, err := range watch.Events(ctx, src, watch.Options[*v1alpha1.Widget]{}) {
//		if err != nil {
//			return err
//		}
//		if event.Object != nil { // a bookmark has none
//			fmt.Println(event.Type, event.Object.Name)
//		}
//	}
//
// Use it to wait for one change, or to forward changes. To read the current objects as well, use an informer.
//
// # Events
//
// Events come in the order in which the server sent them, each exactly once. When a watch
// ends, the next one continues after the last event. Requests, retries and backoff are
// those of package reflector. Options.OnEvent is called with each error that is retried.
//
// Without Options.ResourceVersion, the first events are the existing objects, each with
// type Added, and then an InitialEnd. The Added events have no
// ResourceVersion, because the list has no order. With Options.ResourceVersion, the first
// event is the one after that version.
//
// To continue after a restart, store the ResourceVersion of the last event that you have
// processed, bookmarks included.
//
// An object that cannot be decoded is a Stale with Err and without an object.
//
// # End
//
// The events end when ctx ends, when the loop is left, or with [ErrGap] if events were lost.
// That happens when the server no longer has the version (410 Gone), and when the server
// was restored from a backup. Events does not list the objects again: without a cache it
// cannot tell which changes were lost. Start again without a ResourceVersion.
//
// A source with parts, such as namespaces or shards, has no events: the only pair has
// reflector.ErrNoListerWatcher. Watch one source for each namespace, or one of shard.Only for each shard.
//
// # How it works
//
// The loop body runs on the caller's goroutine, between two reads of
// the stream. No other goroutine is started. Existing objects are collected before the first is yielded; changes are not
// buffered. If the body is slow, the server closes the watch in the end; the next watch continues after the last event.
package watch
