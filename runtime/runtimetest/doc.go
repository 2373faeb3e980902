// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package runtimetest provides a source for tests, of this module and of programs that use it. It
// needs no server and no network.
//
// A [Server] behaves like an API server. A test creates, updates and deletes its objects, and makes
// it fail. Use it to test a controller. [Fill] fills indexers without a source.
//
// It works with [testing/synctest]: it starts no goroutines, waits only on channels and timers, and
// its requests end when their context does. A watch with bookmarks has a timer that never stops. A test that waits
// for an event that never comes waits forever in synctest, unless its context ends.
package runtimetest
