// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package runtimetest provides sources for tests, of this module and of programs that use it. They
// need no server and no network.
//
// A [Server] behaves like an API server. A test creates, updates and deletes its objects, and makes
// it fail. Use it to test a controller.
//
// A [Script] answers each request with a prepared reply and records the requests. Use it to test the
// requests themselves, or replies that no correct server gives.
//
// Both work with [testing/synctest]: they start no goroutines, wait only on channels and timers, and
// end when their context does. A watch with bookmarks has a timer that never stops. A test that waits
// for an event that never comes waits forever in synctest, unless its context ends.
package runtimetest
