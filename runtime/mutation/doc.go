// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package mutation finds writes to cached objects, for tests. Objects in a store are shared and must not be
// changed. A file of your tests turns it on for all stores:
//
//	func init() { mutation.Detect() }
//
// A detector keeps the JSON of up to 10,000 objects and compares it with theirs: of each object that is
// replaced or deleted, of one more at each write, and of all in the store's CheckMutations. A difference is
// reported to the store's error handlers as a [store.MutationError]. A write takes some microseconds more.
//
// It does not see unexported fields and fields with the tag "-". An object that encoding/json
// refuses is reported and not watched. Of more than 10,000 objects some are not watched, always
// including the last written.
//
// Production binaries do not link this package. The informers of package runtime/clientgo have client-go's own
// detector, which KUBE_CACHE_MUTATION_DETECTOR turns on.
package mutation
