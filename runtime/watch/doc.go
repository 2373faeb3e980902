// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package watch follows the objects of a source without a cache: a typed watch that
// outlives its connections.
//
//	for event, err := range watch.Events(ctx, src, watch.Options[*v1alpha1.Widget]{}) {
//		if err != nil {
//			return err
//		}
//		fmt.Println(event.Type, event.Object.Name)
//	}
//
// It is for those who pass changes on and keep no state that they could compare a list
// with. Who wants to know what exists, too, wants an informer.
//
// # What it yields
//
// Events in the order in which the server sent them, none of them twice, and none is
// missing: when a watch ends, or the connection is cut, the next one goes on at the version
// that was reached, in the way and after the waits that package reflector describes. What
// fails and is retried is told to Options.OnError.
//
// Without Options.ResourceVersion the events begin with what exists, an event of type
// Added for each object, and a bookmark with InitialEventsEnd after the last; with it
// they begin after that version. So a program that keeps the ResourceVersion of the last
// event that it is done with, bookmarks included, goes on there when it is started
// again. Events of what exists have no ResourceVersion, since they come in no order.
//
// An object that cannot be decoded is an event too: one with Err, and with Key.
//
// # How it ends
//
// With ctx, or by leaving the loop; or with [ErrGap], when it cannot be told what has
// happened since the last event: the server has forgotten that version, as it does after
// some minutes (410 Gone), or it has gone back in time, as after a restore from a backup.
// No list is made up for that, because without a cache nobody can tell what it lacks.
// Begin anew then.
//
// The loop's body and a Transform run between two reads of the stream, on the caller's
// goroutine. No other goroutine is started. Nothing is buffered: a slow body holds up the
// server, which in the end closes the watch. It then continues after the last event.
package watch
