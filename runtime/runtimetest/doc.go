// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package runtimetest provides sources for tests: of this module, and of programs
// that use it. None of them needs a server or a network.
//
// A [Server] behaves like an API server with objects in it that a test creates,
// changes and deletes, and faults that it can be made to show. It is what a test of a
// controller wants.
//
// A [Script] answers every request exactly as it was told to, and remembers the
// requests. It is what a test wants that is about the requests themselves, or about
// answers that no server should give.
//
// Both are made for [testing/synctest]: they start no goroutines, wait only by
// channels and timers, and end when their context does. A watch that allows bookmarks is a
// timer that never ends: what waits in such a test for something that does not come, waits
// for good unless its context ends.
package runtimetest
