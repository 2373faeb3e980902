// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package tombstone is an analyzer of handlers of deletions. If the watch of an informer misses a deletion,
// the handler gets a cache.DeletedFinalStateUnknown, a tombstone, in place of the object. The analyzer reports handlers
// that
//
//   - assert the type of the object and panic on a tombstone, or ignore it;
//   - look for a pointer to a tombstone, which never comes;
//   - use the object of a typed handler, which is nil if the cache did not have it.
package tombstone
