// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package store

import (
	"cmp"

	"github.com/indexer-gen/indexer-gen/runtime/internal/resourceversion"
)

// advance returns the version that the store reflects once obj is set by hand: the object's
// own if it is newer than the store's, else "". A test that fills a store moves the version
// this way. An informer reports versions by batch, because objects of a list come in no
// order; a store that it feeds stays where it is. The caller holds write.
func (s *Store[K, T]) advance(obj T) string {
	if s.versionOf == nil || s.explain.Load() != nil {
		return ""
	}
	next, now := s.versionOf(obj), s.current.resourceVersion
	order, err := resourceversion.Compare(cmp.Or(now, next), next)
	if err != nil || order == 0 && now != "" || order > 0 {
		return ""
	}
	return next
}
