// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package delta has the record that passes from a source to a store. A [Delta] is one change of one
// object, or one object of a list. A [Batch] holds deltas that are applied at once.
//
// A place accepts the types that have a cross in its column (see [Type.In]):
//
//	            has         List  Watch  Sink  Apply
//	Added       object            x      x     x
//	Updated     object            x      x     x
//	Deleted     object or key     x      x     x
//	Replaced    object      x            x     x
//	Sync        object                         x
//	Stale       key         x     x      x     x
//	Kept        key         x     x      x     x
//	Dropped     key         x     x
//	NoKey       -           x     x
//	Bookmark    -                 x
//	InitialEnd  -                 x
//
// List and Watch are those of a source. Sink is what the reflector passes on: it makes a Replaced of each initial
// event of a WatchList, and a Deleted of a Dropped. Apply is that of a store's feeder. Only a queue.DeltaFIFO
// makes a Sync, and sets FinalStateUnknown.
//
// The resourceVersion of an event is passed beside its delta, and so is the error that explains a Stale, a NoKey, or
// a Deleted without an object. So a queued Delta does not grow.
//
// The package imports no store and no queue, so that neither needs the other.
package delta
