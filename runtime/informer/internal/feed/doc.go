// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package feed brings the changes of one source into the store of an informer and to its hub:
// reflector → queue → store → hub.
//
// A [Feed] reads its source in one run of the informer, on two goroutines. The reflector pushes what it
// reads; the other goroutine takes it from the queue in batches. A change that comes alone does not wait
// in the queue: the goroutine that reads it applies it.
//
// A batch is applied in the hub's turn. It is converted to a batch of the store, written at once, and
// what the store says has changed is converted to the changes of handlers. An object that a list or
// watch repeats unchanged is not a change. accessor.Unchanged decides that: as an item of a list arrives, so
// that no list holds all objects twice (package reflector); as a list or one of several sources is
// applied, so that the store keeps the object that handlers know; and when the store has replaced an
// object by one of the same version.
package feed
