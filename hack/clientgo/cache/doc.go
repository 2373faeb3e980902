// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package cache stands for client-go's package tools/cache in client-go's own tests, which are internal to
// that package. It has the names that the tests use. Types and pure functions are client-go's own, and the
// constructors are ours: informers and indexers are those of runtime/clientgo, and adapters lead from
// stores and queues to those of the runtime. The adapters serve the tests only.
package cache
