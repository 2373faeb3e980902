// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package cache

import (
	"k8s.io/client-go/tools/cache"

	"github.com/indexer-gen/indexer-gen/runtime/delta"
)

var deltaTypes = map[delta.Type]cache.DeltaType{
	delta.Added: Added, delta.Updated: Updated, delta.Deleted: Deleted, delta.Replaced: Replaced, delta.Sync: Sync,
}

// deltaOf returns a delta of ours as one of client-go's.
func deltaOf(d delta.Delta[string, any]) Delta {
	if d.FinalStateUnknown {
		return Delta{Type: Deleted, Object: DeletedFinalStateUnknown{Key: d.Key, Obj: d.Object}}
	}
	return Delta{Type: deltaTypes[d.Type], Object: d.Object}
}
