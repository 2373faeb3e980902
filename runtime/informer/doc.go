// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package informer keeps a store as an API server is, and tells handlers of every
// change: reflector → queue → store → handlers.
//
// # The path of a change
//
// The reflector reads the source into a queue of deltas in order. The informer takes
// them in batches, applies each batch to the store at once, and then hands what has
// changed to the handlers. So readers see all of a batch or none of it, the store's
// resourceVersion is that of a state which the source was in, and when a handler is
// called the store is at least as new as what the handler is told; it may be newer.
// What a list or a watch repeats unchanged is not told. An object that was replaced
// by another of the same name while nobody looked, which its UID tells, is told as a
// deletion and an addition.
//
// # Handlers
//
// Each handler is called on a goroutine of its own, one call at a time, under no lock.
// What waits for it is bounded, in one of two ways:
//
// Lossless, the default: every change is told, in order. When more than a buffer
// ([WithBuffer]) is waiting, the informer waits, and with it the store, all other
// handlers, and in the end the server, which closes the watch. What a list has brought
// does not count, and each of several sources goes on by one batch before it waits. That is back-pressure;
// client-go's buffers grow instead until memory ends. Changes are held once for all
// handlers, so a handler that keeps up costs nothing.
//
// Coalescing ([WithCoalescing]): while the handler is busy, what happens to an object
// becomes one entry, the outcome. It never makes anyone wait. An object that was
// added and deleted unseen is never told; one that was deleted and created again is
// told as both, if it is still there when its deletion has been told; old in an update,
// and Last in a tombstone, is what this handler was told last. Handlers that do more than
// to enqueue keys want this.
//
// A handler that is added late first gets what the store holds, from a snapshot that
// costs nothing, as additions of the initial list. No change is lost or told twice
// between the two.
//
// A handler may do anything in its call: read the store, add and remove handlers,
// itself included, and wait for them and for the informer to have synced. What would
// wait for the call that it is made in, RemoveWait and WaitForSync of its own
// registration, returns [ErrOwnCall] instead. Two things do make a handler wait for itself,
// and want a context that ends: Shutdown of its factory, and, if it is lossless, waiting for
// the store to catch up (WaitFor), as soon as its buffer is full.
//
// A handler that panics does not stop anything if the informer has an error handler
// ([WithErrorHandler]): that is told, as a [PanicError], the call counts as made, and
// the next one is made. Without an error handler nobody would know, so that the panic
// ends the program, as it does everywhere else in Go, and in client-go.
//
// # Stopping
//
// Run returns when its context has ended, the calls that were under way have returned,
// and every goroutine has ended. Calls that were waiting are not made; they are if the
// informer is run again, before what the list of the new run has to tell, so that
// nothing is lost over a restart. Nothing is held back for later than that: a handler
// whose informer stops for good has been told a prefix of what happened. A handler that
// hangs in a call keeps Run from returning; ShutdownContext of a factory gives up when its
// context ends, and names it ([ShutdownError]).
//
// # Errors
//
// Nothing is logged. What fails is told to the error handler, kept for LastError, and
// part of the error of a wait for sync that ends in vain, which says which informer
// and why: "informer of widgets.example.com/v1 has not synced: context deadline
// exceeded; last error: list: widgets.example.com is forbidden: …". So does a wait for the
// store, by the informer, a lister or package written. If a lossless handler is in the way,
// both name it, and say for how long it has been in its call. A wait for a handler that has
// yet to be told the initial list is about the handler, once the informer has synced.
//
// A transform, key function or index function that panics has failed for that object: the
// error names the function and the object, and the other objects are read.
//
// # Factory
//
// A [Factory] holds the informers of a program: one of each kind, however many ask for
// it ([Once]), started together or, if later, when they are asked for, and stopped
// together.
package informer
