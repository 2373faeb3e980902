// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package clientgo runs client-go's own tests of its caches over ours:
//
//	go test -v ./clientgo                                       all, in half a minute
//	go test -v ./clientgo -run Functions/TestSharedInformer     some
//
// # How
//
// The tests are taken from the module cache of Go, at the version of client-go in hack/go.mod. They are
// internal to package cache, so they are compiled into the package cache below this directory. That
// package has client-go's types and our constructors. The tests change in two ways only:
//
//   - changes.patch is applied. It has at most 200 lines.
//   - Functions that functions.txt lists as skip, theirs or own are left out, and so are benchmarks.
//
// Each function runs in a process of its own, and leaves no goroutine behind.
//
// # Lists
//
// functions.txt lists what does not run or does not pass, and the test checks that the list is true:
//
//   - skip: a function that reads unexported state of client-go. It must not compile. A test of ours, which
//     must exist, stands for it.
//   - differs: a function, or one case of it, that expects what we do differently by design. It must fail.
//     The heading, which must exist, documents the difference.
//   - theirs: a function that tests code of client-go that has no state and that we use as it is.
//   - own: a helper of the tests that reads unexported state. It must not compile. Package cache has it
//     instead.
//
// All other functions must pass. A function with another result than this is run once more, because the
// tests measure real time. A table at the end of the output counts the functions.
package clientgo
