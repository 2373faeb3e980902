// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package hub passes the changes of a store to the handlers of an informer.
//
// A [Hub] has three locks. One orders the batches: it is held while a batch is applied to the store and
// passed to the inboxes of all handlers, so every handler sees the same order. Another guards the
// fields. No foreign code runs under it, so registering a handler never waits for an index function. A
// handler that is added while a batch is applied, or whose resync comes due then, is served when the
// batch has been distributed: until then the store is ahead of the inboxes.
//
// Each handler has an inbox (package inbox) and, during a run, a goroutine that calls it. If the inbox of
// a lossless handler is full, the source that filled it waits. It does so without the first lock, so each
// other source can apply one more batch; the third lock lets one source wait at a time.
package hub
