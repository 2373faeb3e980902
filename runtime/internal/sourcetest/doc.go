// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package sourcetest has sources with prepared replies, for tests of this repository.
//
// A [Script] answers each request with a prepared reply and records the requests. It tests the requests themselves, and
// replies that no correct server gives. For all else use runtimetest.Server, which behaves like an API server.
//
// A script works with [testing/synctest]: it starts no goroutines, waits only on channels and timers, and ends when its
// context does.
package sourcetest
