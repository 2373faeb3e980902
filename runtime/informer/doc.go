// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package informer mirrors an API server in a store and notifies handlers of every change:
// reflector → store → handlers, with a buffer before the store for bursts.
//
// # The path of a change
//
// The reflector reads the source into a buffer. The informer takes changes from the buffer in
// batches, applies each batch to the store at once, and then notifies the handlers. A change that
// comes alone does not wait in the buffer: the goroutine that reads it applies it. So a reader
// sees all of a batch or none of it, and the resourceVersion of the store belongs to a state of
// the source. When a handler is called, the store is at least as new as the change. An object that
// a list or watch repeats unchanged is not a change. If another object of the same name, with
// another UID, replaced an object while no watch was running, handlers get a deletion and an
// addition.
//
// In the code, a change passes these places:
//
//	delta.Delta   one object and its key    the source; reflector/reflector.go: stream, handleWatchEvent
//	delta.Batch   what comes at once        feed.go: Push, apply; in a burst by buffer.go
//	store.Change  old and new state         store/apply.go: Apply, writeBatch, applyDelta, effectOf
//	hub.Delivery  the changes of a batch    internal/hub/delivery.go: Deliver, which puts it into inboxes
//	an inbox      Deliveries that wait      internal/hub/lossless.go: Put, Next; here the goroutine changes
//	the call      of a Handler              internal/hub/delivery.go: run, drainInbox; handler.go: callOf
//
// feed.apply has the middle of this in a row: the hub's Begin, Apply of the store, the hub's Deliver. No place calls
// back to an earlier one. Only three things go back, and they are waits: for room in the buffer, for another batch
// (Begin), and for lossless handlers (AwaitRoom).
//
// Two types say what happened. A [delta.Type] is what the source says, and a [store.ChangeType] is what that changed in
// the store. A deletion whose final state is unknown also has a [store.Cause]. A [reflector.Event] is no change of an
// object: it is a step of the reflector, for logs and statistics.
//
// An object that was deleted while no watch was running is missing from the next list. Store.findSlotsAndDeleteOthers
// (store/write.go) deletes all objects that the batch of a list does not write, with the Cause FinalStateUnknown.
//
// The store compares each object with the one that it replaces (store.NewFeeder). The reflector
// compares the objects of a list as they arrive, so that memory does not hold each object twice.
//
// # Handlers
//
// Each handler is called on its own goroutine, one call at a time, under no lock. Pending changes
// are bounded in one of two ways:
//
//   - Lossless, the default: the handler gets every change, in order. If more changes than
//     [WithBuffer] are pending, the informer waits, and with it the store and all other handlers.
//     The changes of one list do not count. With several namespaces or shards, each applies one more
//     batch before it waits.
//   - Coalescing ([WithCoalescing]): a batch that waits alone for the handler is delivered as it is. Several are
//     delivered as one pass, the difference of two snapshots of the store, so that memory holds versions of the
//     store and no queue of changes. The handler never delays others. Use it for handlers that do more than
//     enqueue keys.
//
// A pass notifies a coalescing handler of every object that differs, once, and a resync in it repeats the
// others. Every object ends in its last state. The old state of an update, and LastSeen of a tombstone, is the
// state of which this handler was last notified. A pass is weaker than single changes:
//
//   - Objects come in no order. What comes during a pass is in the next one.
//   - An object that was added and deleted meanwhile is left out. One that was deleted and created again gets a
//     deletion and an addition or, without a UID, an update.
//   - The final state of a deletion is unknown: it is LastSeen. SourceRemoved is set as ever.
//   - Additions that come together with an initial list, as of a new namespace, count as part of it.
//   - The pending changes and their age in statistics are upper bounds.
//
// A handler that is added late first gets the objects in the store, as additions of the initial
// list, and then every later change. If a batch is being written then, it gets the objects before the
// batch, and then the batch.
//
// A handler may read the store, add and remove handlers, including itself, and wait for the
// informer to sync. It must not wait for itself without a context that ends: RemoveWait and
// WaitForSync of its own registration, Shutdown of its factory, and, if it is lossless and its
// buffer is full, WaitFor.
//
// With an error handler ([WithErrorHandler]), a panic of a handler is reported as a [PanicError]
// and the next call is made. Without an error handler, the panic ends the program.
//
// # Types that come and go
//
// A source with Served reads a type that the server may not serve, such as one of a CustomResourceDefinition that may
// not be installed. Each part of the source is then unread, absent or present (part.go). Absent counts as synced,
// without objects: waits for sync return, also those of handlers. [Informer.Present] reports the state.
//
//	list or watch gets 404, Served says       next step
//	served, or an error                       the error is reported, and the reflector tries again
//	not served; the type was not read yet     absent
//	not served; the type was read             Served again for ten seconds, then absent
//
//	absent, Served says                       next step
//	not served, or an error                   Served again, after ten seconds or by Wake
//	served                                    list
//
// The reflector asks Served, and an error of it is one of operation reflector.OpDiscovery. Statistics of the reflector
// go on over an absence. When the type becomes absent, changes that were read before are applied. Then its objects are
// deleted from the store, and handlers get tombstones. Then Present changes, waits for a resourceVersion that the store
// has not reached return store.ErrAbsent, and waits for a deletion return nil. When the type is served again, handlers
// get its objects as additions of an initial list. It may have other UIDs and lower resourceVersions, which change the
// epoch of the store. A source of all namespaces also reads a type that comes back with another scope. A source of one
// namespace cannot read a cluster-scoped type: its lists fail, and the program must be restarted with another source.
//
// Package discovery makes Served, for package wire and for client-go's clients. It knows who may say that a type
// is absent.
//
// # Stopping
//
// Run returns when its context has ended, the running calls have returned, and every goroutine has
// ended. Pending changes are delivered if the informer is run again, before the changes that the
// list of the new run finds. A handler that hangs keeps Run from returning. ShutdownContext of a
// factory returns when its context ends, and its error names the handler.
//
// # Errors
//
// Errors go to the error handler and to LastError. A wait for sync that ends in vain includes the
// last error, and what helps if permissions are missing: "informer of widgets.example.com/v1 has not
// synced: context deadline exceeded; last error: list: widgets.example.com is forbidden: …; grant
// the verbs list and watch, …". So do waits for the store, by the informer, a lister or package
// written. If a lossless handler blocks the informer, both name it. Nothing is logged without
// [WithLogger].
//
// If a conversion of source.Map or an index function panics, the error names the function and the object,
// and the other objects are processed.
//
// # Factory
//
// A [Factory] starts and stops the informers of a program together. [Share] adds one to it, which
// all users of the factory share.
package informer
